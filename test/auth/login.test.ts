import argon2 from 'argon2'
import { sql } from 'kysely'
import t from 'tap'
import { call, PASSWORD, startApp, type Answer } from '../helpers/app.ts'
import { refreshCookie } from '../helpers/cookies.ts'

const { app, addUser, database, signIn } = await startApp(t, { cheapPasswords: false })
const { db } = database

const login = (body: object, options: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
  call(app, { method: 'POST', url: '/api/auth/login', payload: body, ...options })

const setUser = (
  username: string,
  set: Partial<{ email: string; email_verified: boolean; disabled_at: Date }>,
) => db.updateTable('users').set(set).where('username', '=', username).execute()

await addUser('ada')

void t.test('answers tokens and the user, to the letter', async (t) => {
  const { status, body, headers } = await login({ username: 'ada', password: PASSWORD })
  t.equal(status, 200)
  t.same(Object.keys(body).sort(), ['accessToken', 'expiresIn', 'outcome', 'refreshToken', 'user'])
  t.equal(body.outcome, 'signed_in')
  t.same(Object.keys(body.user).sort(), ['email', 'id', 'role', 'username'])
  t.match(body, { accessToken: /^ey.+\..+\./, user: { username: 'ada', email: null, role: 'member' } })
  t.equal(headers['cache-control'], 'no-store')
})

void t.test('14. the refresh token has 256 bits, and only its hash is stored', async (t) => {
  const { body } = await login({ username: 'ada', password: PASSWORD })
  t.equal(Buffer.from(body.refreshToken, 'base64url').length, 32)
  const { rows } = await sql<{
    text: string
  }>`select refresh_tokens::text as text from refresh_tokens`.execute(db)
  t.ok(rows.length > 0)
  for (const row of rows) {
    t.notOk(row.text.includes(body.refreshToken))
    t.notOk(row.text.includes(Buffer.from(body.refreshToken, 'base64url').toString('hex')))
    t.notOk(row.text.includes(Buffer.from(body.refreshToken).toString('hex')))
  }
})

void t.test('11. the access token lives 15 minutes', async (t) => {
  const { body } = await login({ username: 'ada', password: PASSWORD })
  const claims = JSON.parse(Buffer.from(body.accessToken.split('.')[1], 'base64url').toString())
  t.equal(claims.exp - claims.iat, 900)
})

void t.test('20. each sign-in is a session of its own', async (t) => {
  const [one, other] = [
    await login({ username: 'ada', password: PASSWORD }),
    await login({ username: 'ada', password: PASSWORD }),
  ]
  const session = ({ body }: Answer) =>
    JSON.parse(Buffer.from(body.accessToken.split('.')[1], 'base64url').toString()).sid
  t.not(session(one), session(other))
  t.not(one.body.refreshToken, other.body.refreshToken)
  const withCookie = await login(
    { username: 'ada', password: PASSWORD },
    {
      headers: {
        cookie: `refresh_token=${one.body.refreshToken}`,
        authorization: `Bearer ${one.body.accessToken}`,
      },
    },
  )
  t.not(session(withCookie), session(one), 'whatever the client held before')
})

void t.test('22. the refresh cookie', async (t) => {
  const cookie = refreshCookie(await login({ username: 'ada', password: PASSWORD }))
  t.match(cookie?.attributes, { httponly: true, samesite: 'Strict', path: '/api/auth' })
  t.notOk(cookie && 'secure' in cookie.attributes, 'plain http: browsers would drop it')
  t.notOk(cookie && 'max-age' in cookie.attributes, 'ends with the browser')
  t.notOk(cookie && 'domain' in cookie.attributes)
  t.ok((cookie?.value.length ?? 5000) < 4096)
  const secure = await startApp(t, { database, environment: { SITE_URL: 'https://dns.example.com' } })
  const answer = await call(secure.app, {
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'ada', password: PASSWORD },
  })
  t.match(refreshCookie(answer)?.attributes, { secure: true, httponly: true, samesite: 'Strict' })
})

void t.test('17. rememberMe keeps the cookie for 30 days', async (t) => {
  const answer = await login({ username: 'ada', password: PASSWORD, rememberMe: true })
  t.match(refreshCookie(answer)?.attributes, { 'max-age': String(30 * 24 * 3600) })
  t.equal(refreshCookie(answer)?.value, answer.body.refreshToken)
})

void t.test('the user name, in any case, or the verified e-mail address', async (t) => {
  await addUser('grace')
  await setUser('grace', { email: 'grace@example.com', email_verified: true })
  for (const username of ['grace', 'GRACE', ' Grace ', 'grace@example.com', 'Grace@Example.COM']) {
    t.match(await login({ username, password: PASSWORD }), {
      status: 200,
      body: { user: { username: 'grace' } },
    })
  }
})

void t.test('54. an e-mail address that is not verified opens nothing', async (t) => {
  await addUser('joan')
  await setUser('joan', { email: 'joan@example.com' })
  t.match(await login({ username: 'joan@example.com', password: PASSWORD }), { status: 401 })
})

void t.test('9. the same answer whatever is wrong', async (t) => {
  await addUser('blocked')
  await setUser('blocked', { disabled_at: new Date() })
  await addUser('external')
  await db.updateTable('users').set({ password_hash: null }).where('username', '=', 'external').execute()
  const answers = [
    await login({ username: 'ada', password: 'wrong' }),
    await login({ username: 'ada', password: '' }),
    await login({ username: 'nobody', password: PASSWORD }),
    await login({ username: 'nobody', password: '' }),
    await login({ username: 'blocked', password: PASSWORD }),
    await login({ username: 'external', password: PASSWORD }),
    await login({ username: 'external', password: '' }),
    await login({ username: "' or 1=1 --", password: PASSWORD }),
  ]
  const [first] = answers.map(({ status, body }) => ({ status, body: { ...body, requestId: '' } }))
  t.match(first, { status: 401, body: { code: 'invalid_credentials' } })
  for (const answer of answers) {
    t.same({ status: answer.status, body: { ...answer.body, requestId: '' } }, first)
    t.equal(refreshCookie(answer), undefined)
  }
})

void t.test('9. and the same time: an unknown user costs a hash, too', async (t) => {
  await addUser('timed')
  const tries = [
    ['timed', 'wrong'],
    ['nobody', 'wrong'],
    ['nobody', ''],
    ['timed', ''],
  ] as const
  // What a hash costs is counted, not timed: a machine with other work makes any time long.
  const verifications = t.capture(argon2, 'verify', argon2.verify)
  for (const [username, password] of tries) {
    t.equal((await login({ username, password })).status, 401)
    const [verification, ...others] = verifications()
    t.match(verification?.args[0], /^\$argon2id\$v=19\$m=19456,p=1,t=2\$/)
    t.same([verification?.args[1], others], [password, []], 'one hash of what was sent')
  }
})

void t.test('2. lengths are bounded, passwords never cut', async (t) => {
  const long = 'x'.repeat(256)
  await addUser('long')
  await db
    .updateTable('users')
    .set({ password_hash: await argon2.hash(long, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }) })
    .where('username', '=', 'long')
    .execute()
  t.equal((await login({ username: 'long', password: long })).status, 200)
  t.equal((await login({ username: 'long', password: long.slice(1) })).status, 401)
  const over = await login({ username: 'long', password: `${long}x` })
  t.match(over, { status: 400, body: { errors: [{ path: '/password' }] } })
  t.match(await login({ username: 'x'.repeat(255), password: 'x' }), {
    status: 400,
    body: { errors: [{ path: '/username' }] },
  })
  t.match(await login({ username: '', password: 'x' }), { status: 400 })
})

void t.test('66. wrong types are refused', async (t) => {
  for (const [field, body] of Object.entries({
    username: { username: 1, password: 'x' },
    password: { username: 'ada', password: ['x'] },
    rememberMe: { username: 'ada', password: PASSWORD, rememberMe: 'true' },
  })) {
    t.match(await login(body), { status: 400, body: { errors: [{ path: `/${field}` }] } }, field)
  }
})

void t.test('7. a hash of weaker parameters is made anew', async (t) => {
  await addUser('veteran')
  const weak = await argon2.hash(PASSWORD, { memoryCost: 8_192, timeCost: 2, parallelism: 1 })
  await db.updateTable('users').set({ password_hash: weak }).where('username', '=', 'veteran').execute()
  t.match(await login({ username: 'veteran', password: PASSWORD }), { status: 200 })
  const { password_hash: hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('username', '=', 'veteran')
    .executeTakeFirstOrThrow()
  t.match(hash, /^\$argon2id\$v=19\$m=19456,(t=2,p=1|p=1,t=2)\$/)
  t.match(await login({ username: 'veteran', password: PASSWORD }), { status: 200 })
})

void t.test('7. the same password has another hash each time', async (t) => {
  t.not(await app.passwordHashes.hash(PASSWORD), await app.passwordHashes.hash(PASSWORD))
})

void t.test('78. success and failure are in the audit trail, without the password', async (t) => {
  await addUser('audited')
  await login({ username: 'Audited', password: 'a wrong one' }, { remoteAddress: '192.0.2.7' })
  const { body } = await login({ username: 'audited', password: PASSWORD }, { remoteAddress: '192.0.2.8' })
  const rows = await db
    .selectFrom('audit')
    .select(['actor_id', 'actor_name', 'ip', 'request_id', 'action', 'target_id', 'before', 'after'])
    .where('target_name', '=', 'audited')
    .orderBy('id')
    .execute()
  t.match(rows, [
    { action: 'auth.login_failed', actor_id: null, ip: '192.0.2.7', request_id: /./ },
    { action: 'auth.login', actor_id: body.user.id, actor_name: 'audited', ip: '192.0.2.8', request_id: /./ },
  ])
  t.equal(rows.length, 2)
  t.notMatch(JSON.stringify(rows), /wrong one|correct horse/)
})

void t.test('63. tries are limited', async (t) => {
  const limited = await startApp(t, { database, environment: { RATE_LIMIT: '1000' } })
  const attempt = (username: string, remoteAddress: string, password = 'wrong') =>
    call(limited.app, {
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress,
      payload: { username, password },
    })

  await t.test('for an address, whatever the accounts', async (t) => {
    for (let i = 0; i < 10; i++) t.equal((await attempt(`user${i}`, '192.0.2.1')).status, 401)
    const refused = await attempt('user10', '192.0.2.1')
    t.match(refused, { status: 429, body: { code: 'rate_limited' }, headers: { 'retry-after': /^\d+$/ } })
  })
  await t.test('for an account, from however many addresses', async (t) => {
    await addUser('target')
    const live = await signIn('target')
    for (let i = 0; i < 10; i++) t.equal((await attempt('target', `198.51.100.${i}`)).status, 401)
    const refused = await attempt(' TARGET', '203.0.113.1', PASSWORD)
    t.match(refused, { status: 429, body: { code: 'rate_limited' }, headers: { 'retry-after': /^\d+$/ } })
    await t.test('65. its live sessions go on', async (t) => {
      const headers = { authorization: `Bearer ${live.accessToken}` }
      t.equal((await call(limited.app, { url: '/api/auth/me', headers })).status, 200)
      const payload = { refreshToken: live.refreshToken }
      t.equal((await call(limited.app, { method: 'POST', url: '/api/auth/refresh', payload })).status, 200)
    })
    t.equal((await attempt('ada', '203.0.113.2', PASSWORD)).status, 200, 'and other accounts')
  })
  await t.test('for an account, by whichever of its names', async (t) => {
    const id = await addUser('named')
    const email = 'named@example.com'
    await database.db.updateTable('users').set({ email, email_verified: true }).where('id', '=', id).execute()
    for (let i = 0; i < 10; i++) {
      t.equal((await attempt(i % 2 === 0 ? 'named' : email, `198.51.101.${i}`)).status, 401)
    }
    for (const name of ['named', email]) t.equal((await attempt(name, '203.0.113.3', PASSWORD)).status, 429)
  })
  await t.test('for an address, whatever token it brings', async (t) => {
    const { accessToken } = await signIn('ada')
    const tries = [undefined, 'Bearer x', `Bearer ${accessToken}`].flatMap((authorization) =>
      Array.from({ length: 4 }, () => authorization),
    )
    const statuses = []
    for (const [i, authorization] of tries.entries()) {
      const { status } = await call(limited.app, {
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress: '192.0.2.77',
        headers: authorization === undefined ? {} : { authorization },
        payload: { username: `stranger${i}`, password: 'wrong' },
      })
      statuses.push(status)
    }
    t.same(statuses, [...Array<number>(10).fill(401), 429, 429])
  })
  await t.test('65. who signed in here before is not kept out by guesses from elsewhere', async (t) => {
    await addUser('owner')
    await addUser('mallory')
    const from = (username: string, remoteAddress: string, cookie: string, password = PASSWORD) =>
      call(limited.app, {
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress,
        headers: { cookie },
        payload: { username, password },
      })
    const deviceOf = async (username: string, remoteAddress: string) => {
      const { headers } = await from(username, remoteAddress, '')
      const lines = [headers['set-cookie'] ?? []].flat().map(String)
      const line = lines.find((text) => text.startsWith('known_device=')) ?? ''
      t.match(line, /; Path=\/api\/auth; HttpOnly; SameSite=Strict/)
      return line.split(';', 1)[0] as string
    }
    const [own, other] = [await deviceOf('owner', '203.0.113.4'), await deviceOf('mallory', '203.0.113.5')]
    // The sign-in counted as well.
    for (let i = 0; i < 9; i++) t.equal((await attempt('owner', `198.51.102.${i}`)).status, 401)
    t.equal((await from('owner', '203.0.113.6', '')).status, 429)
    t.equal((await from('owner', '203.0.113.6', other)).status, 429, 'a device of another user')
    t.equal((await from('owner', '203.0.113.6', `${own}x`)).status, 429, 'not ours')
    t.equal((await from('owner', '203.0.113.6', own)).status, 200)
    for (let i = 0; i < 9; i++) t.equal((await from('owner', `198.51.103.${i}`, own, 'wrong')).status, 401)
    t.equal((await from('owner', '203.0.113.7', own)).status, 429, 'guesses from there count, too')
  })
})
