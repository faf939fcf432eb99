import t, { type Test } from 'tap'
import { call, PASSWORD, startApp, type Client } from '../helpers/app.ts'
import { refreshCookie } from '../helpers/cookies.ts'

const { app, addUser, signIn, database } = await startApp(t)
const { db } = database

let users = 0
/** A user of the test's own, signed in that often. */
async function signedIn(times: number): Promise<Client[]> {
  const username = `user${users++}`
  await addUser(username)
  const clients: Client[] = []
  for (let i = 0; i < times; i++) clients.push(await signIn(username))
  return clients
}

async function client(): Promise<Client> {
  return (await signedIn(1))[0] as Client
}

const sessionOf = ({ accessToken }: Client): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid

const refresh = ({ refreshToken }: Client) =>
  call(app, { method: 'POST', url: '/api/auth/refresh', payload: { refreshToken } })

async function isOut(t: Test, gone: Client, message: string): Promise<void> {
  t.match(await gone.get('/api/auth/me'), { status: 401, body: { code: 'unauthenticated' } }, message)
  t.match(await refresh(gone), { status: 401 }, message)
}

async function isIn(t: Test, there: Client, message: string): Promise<void> {
  t.match(await there.get('/api/auth/me'), { status: 200 }, message)
}

void t.test('21. lists the own sessions', async (t) => {
  const username = `user${users++}`
  await addUser(username)
  const login = async (userAgent: string) => {
    const { body } = await call(app, {
      method: 'POST',
      url: '/api/auth/login',
      payload: { username, password: PASSWORD },
      headers: { 'user-agent': userAgent },
      remoteAddress: '192.0.2.5',
    })
    return body.accessToken as string
  }
  await login('x'.repeat(2000))
  const token = await login('Mozilla/5.0 <script>')
  await client()
  const { status, body } = await call(app, {
    url: '/api/auth/me/sessions',
    headers: { authorization: `Bearer ${token}` },
  })
  t.equal(status, 200)
  t.equal(body.sessions.length, 2)
  t.same(Object.keys(body.sessions[0]).sort(), [
    'createdAt',
    'current',
    'id',
    'ip',
    'lastUsedAt',
    'userAgent',
  ])
  t.match(body.sessions, [
    { current: true, ip: '192.0.2.5', userAgent: 'Mozilla/5.0 <script>', createdAt: /^\d{4}-.*Z$/ },
    { current: false, userAgent: /^x{300}$/ },
  ])
})

void t.test('a refresh is a use: time and address follow', async (t) => {
  const one = await client()
  await db
    .updateTable('sessions')
    .set({ last_used_at: new Date(0) })
    .where('id', '=', sessionOf(one))
    .execute()
  const { body } = await call(app, {
    method: 'POST',
    url: '/api/auth/refresh',
    payload: { refreshToken: one.refreshToken },
    remoteAddress: '192.0.2.77',
  })
  const list = await call(app, {
    url: '/api/auth/me/sessions',
    headers: { authorization: `Bearer ${body.accessToken}` },
  })
  t.match(list.body.sessions, [{ ip: '192.0.2.77', lastUsedAt: /^(?!1970)/ }])
})

void t.test('21. ends one session, in force on the next request', async (t) => {
  const [one, other] = (await signedIn(2)) as [Client, Client]
  await isIn(t, other, 'is remembered')
  t.match(await one.delete(`/api/auth/me/sessions/${sessionOf(other)}`), { status: 204 })
  await isOut(t, other, 'the ended one')
  await isIn(t, one, 'the other')
  t.match(await one.delete(`/api/auth/me/sessions/${sessionOf(other)}`), { status: 404 }, 'it is gone')
})

void t.test('21. ends all but the current one', async (t) => {
  const [one, ...others] = (await signedIn(3)) as [Client, Client, Client]
  const stranger = await client()
  t.match(await one.delete('/api/auth/me/sessions'), { status: 204 })
  for (const other of others) await isOut(t, other, 'the others')
  await isIn(t, one, 'the current one')
  await isIn(t, stranger, 'another user')
  t.match(await one.delete('/api/auth/me/sessions'), { status: 204 }, 'nothing left to end')
})

void t.test('one may end the session one is in', async (t) => {
  const one = await client()
  t.match(await one.delete(`/api/auth/me/sessions/${sessionOf(one)}`), { status: 204 })
  await isOut(t, one, 'the own')
})

void t.test('60. the session of another user is not there', async (t) => {
  const [one, stranger] = [await client(), await client()]
  const foreign = await one.delete(`/api/auth/me/sessions/${sessionOf(stranger)}`)
  const missing = await one.delete('/api/auth/me/sessions/0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10')
  t.match(foreign, { status: 404, body: { code: 'not_found' } })
  t.equal(missing.status, foreign.status)
  t.equal(missing.body.code, foreign.body.code)
  t.match(await one.delete('/api/auth/me/sessions/nonsense'), {
    status: 400,
    body: { errors: [{ path: '/id' }] },
  })
  await isIn(t, stranger, 'and stays')
})

void t.test('18. sign-out', async (t) => {
  const logout = (headers: Record<string, string>, payload?: object) =>
    call(app, { method: 'POST', url: '/api/auth/logout', headers, ...(payload && { payload }) })

  await t.test('by cookie', async (t) => {
    const one = await client()
    const answer = await logout({ cookie: `refresh_token=${one.refreshToken}` })
    t.equal(answer.status, 204)
    t.equal(answer.body, '')
    t.match(refreshCookie(answer), { value: '', attributes: { path: '/api/auth', expires: /1970/ } })
    await isOut(t, one, 'by cookie')
  })
  await t.test('by refresh token in the body', async (t) => {
    const one = await client()
    t.equal((await logout({}, { refreshToken: one.refreshToken })).status, 204)
    await isOut(t, one, 'by body')
  })
  await t.test('by access token', async (t) => {
    const one = await client()
    t.equal((await logout({ authorization: `Bearer ${one.accessToken}` })).status, 204)
    await isOut(t, one, 'by access token')
  })
  await t.test('other sessions go on', async (t) => {
    const [one, other] = (await signedIn(2)) as [Client, Client]
    await logout({}, { refreshToken: one.refreshToken })
    await isIn(t, other, 'of the same user')
  })
  await t.test('by a token that was rotated already', async (t) => {
    const one = await client()
    const { body } = await refresh(one)
    t.equal((await logout({}, { refreshToken: one.refreshToken })).status, 204)
    await isOut(t, { ...one, refreshToken: body.refreshToken }, 'the whole session')
  })
  await t.test('twice, or with a token that is none, is fine', async (t) => {
    const one = await client()
    for (let i = 0; i < 2; i++) t.equal((await logout({}, { refreshToken: one.refreshToken })).status, 204)
    t.equal((await logout({ authorization: `Bearer ${one.accessToken}` })).status, 204)
    t.equal((await logout({ cookie: 'refresh_token=nonsense' })).status, 204)
  })
  await t.test('with nothing at all is 401', async (t) => {
    t.match(await logout({}), { status: 401, body: { code: 'unauthenticated' } })
  })
  await t.test('is in the audit trail, with the name', async (t) => {
    const [one, other] = [await client(), await client()]
    await logout({}, { refreshToken: one.refreshToken })
    await logout({ authorization: `Bearer ${other.accessToken}` })
    for (const { userId } of [one, other]) {
      const rows = await db
        .selectFrom('audit')
        .select(['actor_name', 'target_name', 'ip', 'request_id'])
        .where('actor_id', '=', userId)
        .where('action', '=', 'auth.logout')
        .execute()
      t.match(rows, [{ actor_name: /^user\d/, target_name: /^user\d/, ip: '127.0.0.1', request_id: /./ }])
    }
  })
})
