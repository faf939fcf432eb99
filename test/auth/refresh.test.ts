import { sql } from 'kysely'
import t from 'tap'
import { call, PASSWORD, startApp, type Answer } from '../helpers/app.ts'
import { refreshCookie } from '../helpers/cookies.ts'

const SITE = 'https://dns.example.com'
const APP = 'https://app.example.com'
const { app, addUser, signIn, database } = await startApp(t, {
  environment: { SITE_URL: SITE, CORS_ORIGINS: APP },
})
const { db } = database

type Headers = Record<string, string>

const refresh = (refreshToken: string) =>
  call(app, { method: 'POST', url: '/api/auth/refresh', payload: { refreshToken } })

const refreshByCookie = (token: string, headers: Headers = {}) =>
  call(app, {
    method: 'POST',
    url: '/api/auth/refresh',
    headers: { cookie: `refresh_token=${token}`, ...headers },
  })

const me = (accessToken: string) =>
  call(app, { url: '/api/auth/me', headers: { authorization: `Bearer ${accessToken}` } })

const sessionOf = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid

/** As if the rotations of the session had been that long ago. */
const passTime = (sessionId: string, seconds: number) =>
  sql`update refresh_tokens set rotated_at = rotated_at - make_interval(secs => ${seconds})
    where session_id = ${sessionId}`.execute(db)

const setSession = (sessionId: string, assignment: ReturnType<typeof sql>) =>
  sql`update sessions set ${assignment} where id = ${sessionId}`.execute(db)

await addUser('ada')

const isOver = (answer: Answer) => ({ status: answer.status, code: answer.body.code })
const OVER = { status: 401, code: 'unauthenticated' }

void t.test('15. each refresh answers a new pair and the cookie', async (t) => {
  const { refreshToken, accessToken } = await signIn('ada')
  const answer = await refresh(refreshToken)
  t.equal(answer.status, 200)
  t.same(Object.keys(answer.body).sort(), ['accessToken', 'expiresIn', 'refreshToken'])
  t.equal(answer.body.expiresIn, 900)
  t.not(answer.body.refreshToken, refreshToken)
  t.equal(refreshCookie(answer)?.value, answer.body.refreshToken)
  t.match(refreshCookie(answer)?.attributes, {
    httponly: true,
    secure: true,
    samesite: 'Strict',
    path: '/api/auth',
  })
  t.equal((await me(answer.body.accessToken)).status, 200)
  t.equal(sessionOf(answer.body.accessToken), sessionOf(accessToken), 'in the same session')
  t.equal(answer.headers['cache-control'], 'no-store')
})

void t.test('takes the cookie, the body, or both', async (t) => {
  const { refreshToken } = await signIn('ada')
  const byCookie = await refreshByCookie(refreshToken)
  t.equal(byCookie.status, 200)
  const byBody = await refresh(byCookie.body.refreshToken)
  t.equal(byBody.status, 200)
  const both = await call(app, {
    method: 'POST',
    url: '/api/auth/refresh',
    headers: { cookie: 'refresh_token=stale' },
    payload: { refreshToken: byBody.body.refreshToken },
  })
  t.equal(both.status, 200, 'what is said counts before what comes along')
})

void t.test('without a body, with an empty one, or an empty object', async (t) => {
  const { refreshToken } = await signIn('ada')
  const cookie = `refresh_token=${refreshToken}`
  const url = '/api/auth/refresh'
  const json = { 'content-type': 'application/json' }
  t.equal((await call(app, { method: 'POST', url, headers: { cookie } })).status, 200)
  t.equal((await call(app, { method: 'POST', url, headers: { cookie, ...json } })).status, 200)
  t.equal((await call(app, { method: 'POST', url, headers: { cookie }, payload: {} })).status, 200)
})

void t.test('a token that is none is refused', async (t) => {
  for (const token of ['x', 'A'.repeat(43), "' or 1=1", 'null']) t.same(isOver(await refresh(token)), OVER)
  t.same(isOver(await call(app, { method: 'POST', url: '/api/auth/refresh' })), OVER)
  t.match(await refresh(''), { status: 400 })
  t.match(await refresh('x'.repeat(4097)), { status: 400 })
  const { accessToken } = await signIn('ada')
  t.same(isOver(await refresh(accessToken)), OVER, 'nor is an access token')
})

void t.test('16. within 10 s a repeat gets the same successor', async (t) => {
  const { refreshToken, accessToken } = await signIn('ada')
  const first = await refresh(refreshToken)
  await passTime(sessionOf(accessToken), 8)
  const repeat = await refresh(refreshToken)
  t.equal(repeat.status, 200)
  t.equal(repeat.body.refreshToken, first.body.refreshToken)
  t.equal(refreshCookie(repeat)?.value, first.body.refreshToken)
  t.equal((await refresh(repeat.body.refreshToken)).status, 200)
})

void t.test('15. replay of a rotated token ends the session', async (t) => {
  const { refreshToken, accessToken, userId } = await signIn('ada')
  const sessionId = sessionOf(accessToken)
  const { body } = await refresh(refreshToken)
  await passTime(sessionId, 11)
  t.same(isOver(await refresh(refreshToken)), OVER)
  t.same(isOver(await refresh(body.refreshToken)), OVER, 'its successor')
  t.equal((await me(accessToken)).status, 401, 'and the access tokens, at once')
  t.equal((await me(body.accessToken)).status, 401)
  const audit = await db
    .selectFrom('audit')
    .select(['actor_id', 'action', 'target_name'])
    .where('action', '=', 'auth.refresh_reused')
    .execute()
  t.match(audit, [{ actor_id: userId, target_name: 'ada' }])
})

void t.test('15. however old the replayed token is', async (t) => {
  const { refreshToken, accessToken } = await signIn('ada')
  let token = refreshToken
  for (let i = 0; i < 3; i++) token = (await refresh(token)).body.refreshToken
  await passTime(sessionOf(accessToken), 11)
  t.same(isOver(await refresh(refreshToken)), OVER)
  t.same(isOver(await refresh(token)), OVER)
})

void t.test('15. other sessions of the user go on', async (t) => {
  const [stolen, other] = [await signIn('ada'), await signIn('ada')]
  await refresh(stolen.refreshToken)
  await passTime(sessionOf(stolen.accessToken), 11)
  await refresh(stolen.refreshToken)
  t.equal((await me(other.accessToken)).status, 200)
  t.equal((await refresh(other.refreshToken)).status, 200)
})

void t.test('16. 60 parallel refreshes of one token mint one lineage', async (t) => {
  const { refreshToken, accessToken } = await signIn('ada')
  const answers = await Promise.all(Array.from({ length: 60 }, () => refresh(refreshToken)))
  t.same([...new Set(answers.map(({ status }) => status))], [200])
  t.equal(new Set(answers.map(({ body }) => body.refreshToken)).size, 1)
  const tokens = await db
    .selectFrom('refresh_tokens')
    .select('rotated_at')
    .where('session_id', '=', sessionOf(accessToken))
    .execute()
  t.equal(tokens.length, 2)
  t.equal(tokens.filter(({ rotated_at: at }) => at === null).length, 1)
})

void t.test('16. parallel replays after the grace period end the session once', async (t) => {
  const { refreshToken, accessToken } = await signIn('ada')
  await refresh(refreshToken)
  const sessionId = sessionOf(accessToken)
  await passTime(sessionId, 11)
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(refreshToken)))
  t.same([...new Set(answers.map(({ status }) => status))], [401])
  const audit = await sql`select 1 from audit where action = 'auth.refresh_reused'
    and before::text like ${`%${sessionId}%`}`.execute(db)
  t.equal(audit.rows.length, 1)
})

void t.test('23. rotation survives a restart', async (t) => {
  const { refreshToken, accessToken } = await signIn('ada')
  const first = await refresh(refreshToken)
  const restarted = await startApp(t, { database, environment: { SITE_URL: SITE } })
  const again = (token: string) =>
    call(restarted.app, { method: 'POST', url: '/api/auth/refresh', payload: { refreshToken: token } })
  t.equal((await again(refreshToken)).body.refreshToken, first.body.refreshToken, 'the grace period too')
  await passTime(sessionOf(accessToken), 11)
  t.same(isOver(await again(refreshToken)), OVER)
  t.same(isOver(await again(first.body.refreshToken)), OVER)
})

void t.test('17. a session ends when it was not used for long, and at its end at all events', async (t) => {
  const ends = async (rememberMe: boolean) => {
    const { body } = await call(app, {
      method: 'POST',
      url: '/api/auth/login',
      payload: { username: 'ada', password: PASSWORD, rememberMe },
    })
    const id = sessionOf(body.accessToken)
    const hours = async () => {
      const { rows } = await sql<{
        hours: number
      }>`select round(extract(epoch from expires_at - now()) / 3600)::int
        as hours from sessions where id = ${id}`.execute(db)
      return rows[0]?.hours
    }
    return { token: body.refreshToken as string, id, hours }
  }
  const short = await ends(false)
  t.equal(await short.hours(), 24)
  const long = await ends(true)
  t.equal(await long.hours(), 30 * 24)

  await setSession(
    short.id,
    sql`expires_at = now() + interval '1 hour', created_at = now() - interval '3 days'`,
  )
  const next = await refresh(short.token)
  t.equal(await short.hours(), 24, 'each use prolongs it')
  await setSession(short.id, sql`created_at = now() - interval '7 days' + interval '2 hours'`)
  const last = await refresh(next.body.refreshToken)
  t.equal(await short.hours(), 2, 'but not for ever')
  await setSession(short.id, sql`expires_at = now() - interval '1 second'`)
  t.same(isOver(await refresh(last.body.refreshToken)), OVER)

  const kept = await refresh(long.token)
  t.match(
    refreshCookie(kept)?.attributes,
    { 'max-age': String(30 * 24 * 3600) },
    'the cookie stays persistent',
  )
  t.notOk('max-age' in (refreshCookie(next)?.attributes ?? {}), 'or not')
})

void t.test('17. the access token ends with its session', async (t) => {
  const { accessToken } = await signIn('ada')
  await setSession(sessionOf(accessToken), sql`expires_at = now() - interval '1 second'`)
  t.equal((await me(accessToken)).status, 401)
})

void t.test('19. a disabled user refreshes nothing', async (t) => {
  await addUser('disabled')
  const { refreshToken, accessToken } = await signIn('disabled')
  const { body } = await refresh(refreshToken)
  await db.updateTable('users').set({ disabled_at: new Date() }).where('username', '=', 'disabled').execute()
  t.same(isOver(await refresh(body.refreshToken)), OVER)
  t.same(isOver(await refresh(refreshToken)), OVER, 'nor in the grace period')
  await passTime(sessionOf(accessToken), 11)
  t.same(isOver(await refresh(refreshToken)), OVER)
})

void t.test('19. nor does one who is gone', async (t) => {
  await addUser('gone')
  const { refreshToken } = await signIn('gone')
  await db.deleteFrom('users').where('username', '=', 'gone').execute()
  t.same(isOver(await refresh(refreshToken)), OVER)
})

void t.test('83. the cookie counts from our own pages only', async (t) => {
  const { refreshToken } = await signIn('ada')
  const refused: Headers[] = [
    { origin: 'https://evil.example' },
    { origin: `${SITE}.evil.example` },
    { origin: 'http://dns.example.com' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'http://10.0.0.5:3000', host: '10.0.0.5:3000', 'sec-fetch-site': 'same-site' },
    { origin: 'http://10.0.0.5:8080', host: '10.0.0.5:3000' },
    { origin: 'https://10.0.0.5:3000', host: '10.0.0.5:3000' },
  ]
  for (const headers of refused) {
    const answer = await refreshByCookie(refreshToken, headers)
    t.match(answer, { status: 403, body: { code: 'forbidden' } }, JSON.stringify(headers))
    t.equal(refreshCookie(answer), undefined)
    const logout = await call(app, {
      method: 'POST',
      url: '/api/auth/logout',
      headers: { cookie: `refresh_token=${refreshToken}`, ...headers },
    })
    t.match(logout, { status: 403 }, 'nor can they sign somebody out')
    t.equal(refreshCookie(logout), undefined)
  }
  let token = refreshToken
  const taken: Headers[] = [
    { origin: SITE },
    { origin: APP, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin' },
    // The service at another of its names: the browser says so, or the two addresses do.
    { origin: 'http://10.0.0.5:3000', host: '10.0.0.5:3000', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://10.0.0.5:3000', host: '10.0.0.5:3000' },
  ]
  for (const headers of taken) {
    const { status, body } = await refreshByCookie(token, headers)
    t.equal(status, 200, JSON.stringify(headers))
    token = body.refreshToken
  }
})

void t.test('83. a form of another site is refused before anything', async (t) => {
  const { refreshToken } = await signIn('ada')
  const answer = await call(app, {
    method: 'POST',
    url: '/api/auth/refresh',
    headers: { cookie: `refresh_token=${refreshToken}`, 'content-type': 'text/plain' },
    payload: '{}',
  })
  t.match(answer, { status: 415 })
})
