import t from 'tap'
import { call, PASSWORD, startApp } from '../helpers/app.ts'

const { app, admin, addUser, signIn, database } = await startApp(t)
const login = (username: string, password = PASSWORD) =>
  call(app, { method: 'POST', url: '/api/auth/login', payload: { username, password } })

let count = 0
async function newUser(more: object = {}) {
  const answer = await admin.post('/api/users', {
    username: `made${count++}`,
    password: PASSWORD,
    role: 'member',
    ...more,
  })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body as { id: string; username: string }
}

void t.test('an administrator makes an account, and its holder signs in', async (t) => {
  const answer = await admin.post('/api/users', {
    username: 'Ada',
    password: PASSWORD,
    email: 'Ada@Example.com',
    role: 'member',
    displayName: 'Ada Lovelace',
  })
  t.match(answer, {
    status: 201,
    headers: { location: `/api/users/${answer.body.id}` },
    body: {
      username: 'ada',
      email: 'ada@example.com',
      emailVerified: false,
      role: 'member',
      displayName: 'Ada Lovelace',
      disabled: false,
      hasPassword: true,
      twoFactor: { enabled: false, methods: { length: 0 } },
      sessionCount: 0,
      lastLoginAt: null,
    },
  })
  t.equal((await login('ada')).status, 200)
  const { body } = await admin.get(`/api/users/${answer.body.id}`)
  t.match(body, { sessionCount: 1, lastLoginAt: /Z$/ })
  t.notMatch(JSON.stringify(body), /hash|argon/, 'no hash in it')
})

void t.test('a user name or an address that is taken is 409 and names the field', async (t) => {
  await newUser({ username: 'taken', email: 'taken@example.com' })
  const again = { username: 'TAKEN', password: PASSWORD, role: 'member' }
  t.match(await admin.post('/api/users', again), {
    status: 409,
    body: { field: 'username', reason: 'user_name_taken' },
  })
  const other = { username: 'other', email: 'TAKEN@example.com', password: PASSWORD, role: 'member' }
  t.match(await admin.post('/api/users', other), { status: 409, body: { field: 'email' } })
  const third = await newUser()
  const answer = await admin.put(`/api/users/${third.id}`, { email: 'taken@example.com' })
  t.match(answer, { status: 409, body: { field: 'email' } })
})

void t.test('5. 6. the password must be one to take', async (t) => {
  const refused = [
    ['password1', /too common/],
    ['PassWord1', /too common/],
    ['sunshine2024', /too common/],
    ['          ', /blank/],
    ['xx-Charlotte-xx', /user name/],
    ['my zonekeeper 7', /name of this service/],
  ] as const
  for (const [password, message] of refused) {
    const answer = await admin.post('/api/users', { username: 'charlotte', password, role: 'member' })
    t.match(answer, { status: 400, body: { errors: [{ path: '/password', message }] } }, password)
  }
  await newUser({ username: 'al', password: 'quality of sealing' })
  t.pass('a short user name may be in a password by chance')
})

void t.test('without a password e-mail must be set up', async (t) => {
  const answer = await admin.post('/api/users', {
    username: 'no-mail',
    email: 'n@example.com',
    role: 'member',
  })
  t.match(answer, { status: 400, body: { errors: [{ path: '/password' }] } })
})

void t.test('66. 69. strict bodies', async (t) => {
  const base = { username: 'strict', password: PASSWORD, role: 'member' }
  for (const wrong of [
    { username: 'a b' },
    { username: 'a@b.example' },
    { username: '-a' },
    { username: 'x' },
    { username: 'ada\r\n' },
    { role: 'owner' },
    { role: 1 },
    { email: 'a@example.com\r\nBcc: b@example.com' },
    { email: 'a@example.com,b@example.com' },
    { email: 'Ada <a@example.com>' },
    { email: `${'a'.repeat(65)}@example.com` },
    { email: `a@${'b.'.repeat(125)}example` },
    { displayName: 'x\r\ny' },
  ]) {
    t.match(await admin.post('/api/users', { ...base, ...wrong }), { status: 400 }, JSON.stringify(wrong))
  }
})

void t.test('57. 59. for administrators alone', async (t) => {
  await addUser('member')
  const member = await signIn('member')
  const { body } = await member.post('/api/auth/me/tokens', { name: 'x', permissions: ['domains:read'] })
  const token = body.token as string
  for (const url of [
    '/api/users',
    `/api/users/${admin.userId}`,
    '/api/invitations',
    '/api/audit',
    '/api/audit/export',
  ]) {
    t.equal((await member.get(url)).status, 403, url)
    t.equal((await call(app, { method: 'GET', url })).status, 401, url)
    const headers = { authorization: `Bearer ${token}` }
    t.equal((await call(app, { method: 'GET', url, headers })).status, 401, `${url} by personal token`)
  }
  t.equal((await member.post('/api/users', { username: 'x1', role: 'admin' })).status, 403)
  t.equal((await member.put(`/api/users/${member.userId}`, { role: 'admin' })).status, 403)
  t.equal((await member.delete(`/api/users/${admin.userId}`)).status, 403)
})

void t.test('61. nobody makes themselves an administrator by the profile', async (t) => {
  const { username, id } = await newUser()
  const member = await signIn(username)
  await member.put('/api/auth/me/profile', { nickname: 'x', role: 'admin', id: admin.userId })
  t.match((await admin.get(`/api/users/${id}`)).body, { role: 'member', nickname: 'x' })
})

void t.test('list: pages, search and role', async (t) => {
  for (const name of ['find-a', 'find-b', 'find-c'])
    await newUser({ username: name, displayName: `100% ${name}` })
  const first = await admin.get('/api/users?search=FIND-&limit=2')
  t.match(first.body, {
    total: 3,
    page: 1,
    limit: 2,
    users: [{ username: 'find-a' }, { username: 'find-b' }],
  })
  const second = await admin.get('/api/users?search=find-&limit=2&page=2')
  t.match(second.body, { total: 3, users: [{ username: 'find-c' }] })
  t.match((await admin.get('/api/users?search=find-&page=9')).body, { total: 3, users: { length: 0 } })
  t.equal((await admin.get('/api/users?search=100%25')).body.total, 3, 'the display name; % is itself')
  t.equal((await admin.get('/api/users?search=find_')).body.total, 0, '_ is itself')
  t.equal((await admin.get('/api/users?search=find-&role=admin')).body.total, 0)
})

void t.test(
  '62. a changed role is in force on the next request, also of an administrator in mid-session',
  async (t) => {
    const { id, username } = await newUser({ role: 'admin' })
    const other = await signIn(username)
    t.equal((await other.get('/api/users')).status, 200)
    t.match(await admin.put(`/api/users/${id}`, { role: 'member' }), {
      status: 200,
      body: { role: 'member' },
    })
    t.equal((await other.get('/api/users')).status, 403)
    t.equal((await other.get('/api/auth/me')).status, 200, 'the session goes on')
    await admin.put(`/api/users/${id}`, { role: 'admin' })
    t.equal((await other.get('/api/users')).status, 200, 'and back')
  },
)

void t.test('58. a reset by an administrator ends personal tokens, unless they are to stay', async (t) => {
  const { id, username } = await newUser()
  const user = await signIn(username)
  const { body } = await user.post('/api/auth/me/tokens', { name: 'x', permissions: ['domains:read'] })
  const byToken = () =>
    call(app, { method: 'GET', url: '/api/v1/domains', headers: { authorization: `Bearer ${body.token}` } })
  t.equal((await byToken()).status, 200)
  const password = 'another battery staple'
  t.equal((await admin.put(`/api/users/${id}`, { password, keepTokens: true })).status, 200)
  t.equal((await byToken()).status, 200)
  t.equal((await admin.put(`/api/users/${id}`, { password })).status, 200)
  t.equal((await byToken()).status, 401)
  const trail = await database.db
    .selectFrom('audit')
    .select('before')
    .where('action', '=', 'user.password_set')
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
  t.same(
    trail.map(({ before }) => before),
    [{ tokens: 0 }, { tokens: 1 }],
  )
})

void t.test('19. a disabled user loses everything on the next request', async (t) => {
  const { id, username } = await newUser()
  const user = await signIn(username)
  const { body } = await user.post('/api/auth/me/tokens', { name: 'x', permissions: ['domains:read'] })
  const byToken = () =>
    call(app, { method: 'GET', url: '/api/v1/domains', headers: { authorization: `Bearer ${body.token}` } })
  t.equal((await byToken()).status, 200)
  t.equal((await user.get('/api/auth/me')).status, 200)
  t.match(await admin.put(`/api/users/${id}`, { disabled: true }), {
    status: 200,
    body: { disabled: true, sessionCount: 0 },
  })
  t.equal((await user.get('/api/auth/me')).status, 401)
  t.equal((await byToken()).status, 401)
  t.match(await login(username), { status: 401, body: { code: 'invalid_credentials' } })
  const payload = { refreshToken: user.refreshToken }
  t.equal((await call(app, { method: 'POST', url: '/api/auth/refresh', payload })).status, 401)
  await admin.put(`/api/users/${id}`, { disabled: false })
  t.equal((await user.get('/api/auth/me')).status, 401, 'enabled again: the old session stays over')
  t.equal((await login(username)).status, 200)
})

void t.test('21. an administrator ends all sessions of a user', async (t) => {
  const { id, username } = await newUser()
  const sessions = [await signIn(username), await signIn(username)]
  t.equal((await admin.delete(`/api/users/${id}/sessions`)).status, 204)
  for (const session of sessions) t.equal((await session.get('/api/auth/me')).status, 401)
  t.equal((await login(username)).status, 200)
})

void t.test('10. a password set by an administrator ends all sessions', async (t) => {
  const { id, username } = await newUser()
  const user = await signIn(username)
  t.equal((await admin.put(`/api/users/${id}`, { password: 'another fine secret' })).status, 200)
  t.equal((await user.get('/api/auth/me')).status, 401)
  t.equal((await login(username)).status, 401)
  t.equal((await login(username, 'another fine secret')).status, 200)
})

void t.test('a whole user can be sent back; the name can not change', async (t) => {
  const { id } = await newUser({ displayName: 'Before', email: 'whole@example.com' })
  const { body } = await admin.get(`/api/users/${id}`)
  t.match(await admin.put(`/api/users/${id}`, { ...body, displayName: 'After' }), {
    status: 200,
    body: { displayName: 'After', email: 'whole@example.com' },
  })
  t.equal((await admin.put(`/api/users/${id}`, { username: 'somebody' })).status, 400)
  t.match(await admin.put(`/api/users/${id}`, { email: null }), { status: 200, body: { email: null } })
})

void t.test('a lost phone: an administrator takes the second factors away', async (t) => {
  const { id, username } = await newUser()
  await database.db
    .updateTable('users')
    .set({ totp_enabled: true, totp_secret: Buffer.from('x'), email_codes_enabled: true })
    .where('id', '=', id)
    .execute()
  t.match((await admin.get(`/api/users/${id}`)).body.twoFactor, { enabled: true, methods: ['totp', 'email'] })
  t.equal((await admin.delete(`/api/users/${id}/two-factor`)).status, 204)
  t.match((await admin.get(`/api/users/${id}`)).body.twoFactor, { enabled: false, methods: { length: 0 } })
  t.match(await login(username), { status: 200, body: { accessToken: String } })
  const { body } = await admin.get(`/api/audit?target=${id}&action=user.second_factor_removed`)
  t.match(body.entries, [{ before: { methods: ['totp', 'email'] }, actor: { name: 'root' } }])
})

void t.test('who is not there is 404', async (t) => {
  const url = '/api/users/0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'
  const answers = [
    admin.get(url),
    admin.put(url, { disabled: true }),
    admin.delete(url),
    admin.delete(`${url}/sessions`),
    admin.delete(`${url}/two-factor`),
  ]
  for (const answer of answers) t.equal((await answer).status, 404)
})
