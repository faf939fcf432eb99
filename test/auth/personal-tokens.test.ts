import t from 'tap'
import { isWellFormed, newPersonalToken } from '../../plugins/security/access/personal-tokens.ts'
import { call, PASSWORD, startApp, type Client } from '../helpers/app.ts'

const MANUAL = '0192f0a0-0000-7000-8000-000000000001'

/** A domain of the client's with these records. */
async function addDomain(
  client: Client,
  name: string,
  records: [type: string, host: string, value: string][],
) {
  const config = await client.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const domain = await client.post('/api/domains', { name, providerConfigId: config.body.id })
  const entries = records.map(([recordType, host, value]) => ({ recordType, name: host, value, ttl: 300 }))
  await client.post(`/api/domains/${domain.body.id}/records/bulk`, { records: entries })
  return domain.body.id as string
}

const test = await startApp(t)
const { admin } = test

const WRITE = ['domains:read', 'records:read', 'records:write']

/** A client that uses a new personal token. */
async function tokenClient(client: Client, body: object = {}, remoteAddress = '192.0.2.7') {
  const created = await client.post('/api/auth/me/tokens', { name: 'test', permissions: WRITE, ...body })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  const headers = { authorization: `Bearer ${created.body.token}` }
  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    call(test.app, { method, url, headers, remoteAddress, ...(payload && { payload }) })
  return { id: created.body.id as string, token: created.body.token as string, send }
}

void t.test('55. a token has a prefix and a checksum that a scanner can verify', async (t) => {
  const token = newPersonalToken()
  t.match(token, /^zkp_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/)
  t.ok(isWellFormed(token))
  const last = token.at(-1) === 'a' ? 'b' : 'a'
  t.notOk(isWellFormed(token.slice(0, -1) + last), 'a changed checksum')
  t.notOk(isWellFormed(token.slice(0, -1)), 'cut off')
  t.not(newPersonalToken(), token)
})

void t.test('55. a token is shown once, stored as a hash, listed with its last use', async (t) => {
  const { id, token, send } = await tokenClient(admin, { expiresAt: '2099-01-01T00:00:00.000Z' })
  const before = await admin.get('/api/auth/me/tokens')
  t.match(before.body.tokens, [{ id, lastUsedAt: null, tokenPrefix: token.slice(0, 10), expiresAt: /^2099/ }])
  t.equal((await send('GET', '/api/v1/domains')).status, 200)
  const after = await admin.get('/api/auth/me/tokens')
  t.type(after.body.tokens[0].lastUsedAt, 'string')
  t.notMatch(JSON.stringify(after.body), token)
  const row = await test.database.db.selectFrom('personal_tokens').selectAll().executeTakeFirstOrThrow()
  t.equal(row.hash.length, 32)
  t.notMatch(JSON.stringify(row), token.slice(12))
})

void t.test('30. making one needs a sign-in of the last 10 minutes, or the password', async (t) => {
  await test.addUser('stale')
  const stale = await test.signIn('stale')
  await test.database.db
    .updateTable('sessions')
    .set({ created_at: new Date(Date.now() - 11 * 60_000) })
    .where('user_id', '=', stale.userId)
    .execute()
  const create = (more: object = {}) =>
    stale.post('/api/auth/me/tokens', { name: 'x', permissions: WRITE, ...more })
  t.match(await create(), { status: 403, body: { code: 'reauthentication_required' } })
  t.match(await create({ password: 'wrong' }), { status: 400, body: { errors: [{ path: '/password' }] } })
  t.equal((await create({ password: PASSWORD })).status, 201)
})

void t.test('56. an unknown permission is refused, and so is none', async (t) => {
  for (const permissions of [['records:read', 'everything'], [], ['records:read', 'records:read']]) {
    const answer = await admin.post('/api/auth/me/tokens', { name: 'x', permissions })
    t.match(answer, { status: 400, body: { code: 'validation_failed' } }, JSON.stringify(permissions))
    t.match(answer.body.errors[0].path, /^\/permissions/)
  }
})

void t.test('bad restrictions name their field', async (t) => {
  const cases: [object, string][] = [
    [{ ipRanges: ['192.0.2.0/24', 'home'] }, '/restrictions/ipRanges/1'],
    [{ namePatterns: ['*.dev', 'a.*.b'] }, '/restrictions/namePatterns/1'],
    [{ recordTypes: ['SOA'] }, '/restrictions/recordTypes/0'],
    [{ domainIds: ['x'] }, '/restrictions/domainIds/0'],
  ]
  for (const [restrictions, path] of cases) {
    const answer = await admin.post('/api/auth/me/tokens', { name: 'x', permissions: WRITE, restrictions })
    t.match(answer, { status: 400, body: { errors: [{ path }] } }, path)
  }
  const past = await admin.post('/api/auth/me/tokens', {
    name: 'x',
    permissions: WRITE,
    expiresAt: '2001-01-01T00:00:00.000Z',
  })
  t.match(past, { status: 400, body: { errors: [{ path: '/expiresAt' }] } })
})

void t.test('56. each route of the Open API wants its permission', async (t) => {
  const domain = await addDomain(admin, 'routes.example', [['A', 'www', '192.0.2.1']])
  const record = (await admin.get(`/api/domains/${domain}/records`)).body.records[0].id
  const path = `/api/v1/domains/${domain}`
  const body = { recordType: 'A', name: 'x', value: '192.0.2.2' }
  const routes = [
    ['GET', '/api/v1/domains', 'domains:read'],
    ['GET', path, 'domains:read'],
    ['GET', `${path}/records`, 'records:read'],
    ['POST', `${path}/records`, 'records:write', body],
    ['PUT', `${path}/records/${record}`, 'records:write', { ttl: 600 }],
    ['DELETE', `${path}/records/${record}`, 'records:write'],
  ] as const
  for (const [method, url, permission, payload] of routes) {
    const without = await tokenClient(admin, {
      permissions: ['domains:read', 'records:read', 'records:write', 'ddns:update'].filter(
        (p) => p !== permission,
      ),
    })
    const refused = await without.send(method, url, payload)
    t.match(refused, { status: 403, body: { code: 'permission_missing', permission } }, `${method} ${url}`)
    const only = await tokenClient(admin, { permissions: [permission] })
    t.match(
      (await only.send(method, url, payload)).status,
      /^20[014]$/,
      `${method} ${url} with ${permission}`,
    )
  }
})

void t.test('57. a personal token opens nothing but the Open API', async (t) => {
  const { send } = await tokenClient(admin)
  const routes = [
    ['GET', '/api/auth/me'],
    ['GET', '/api/auth/me/tokens'],
    ['POST', '/api/auth/me/tokens', { name: 'more', permissions: WRITE }],
    ['PUT', '/api/auth/me/password', { oldPassword: 'x', newPassword: 'long enough' }],
    ['GET', '/api/domains'],
    ['GET', '/api/provider-configs'],
  ] as const
  for (const [method, url, payload] of routes) {
    t.match(await send(method, url, payload), { status: 401, body: { code: 'unauthenticated' } }, url)
  }
})

void t.test(
  '58. a revoked token is dead on the next request, a foreign one can not be revoked',
  async (t) => {
    await test.addUser('other')
    const other = await test.signIn('other')
    const { id, send } = await tokenClient(admin)
    t.equal((await send('GET', '/api/v1/domains')).status, 200)
    t.equal((await other.delete(`/api/auth/me/tokens/${id}`)).status, 404)
    t.equal((await admin.delete(`/api/auth/me/tokens/${id}`)).status, 204)
    t.equal((await send('GET', '/api/v1/domains')).status, 401)
    t.equal((await admin.delete(`/api/auth/me/tokens/${id}`)).status, 404)
  },
)

void t.test('56. a token never has more rights than its user has now', async (t) => {
  await test.addUser('ada', 'admin')
  const ada = await test.signIn('ada')
  const domain = await addDomain(admin, 'ada.example', [])
  const { send } = await tokenClient(ada)
  t.equal((await send('GET', `/api/v1/domains/${domain}`)).status, 200, 'as administrator')
  await test.database.db.updateTable('users').set({ role: 'member' }).where('username', '=', 'ada').execute()
  test.app.events.emit('user.changed', { userId: ada.userId })
  t.equal((await send('GET', `/api/v1/domains/${domain}`)).status, 404, 'as member')
  await test.database.db
    .updateTable('users')
    .set({ disabled_at: new Date() })
    .where('username', '=', 'ada')
    .execute()
  test.app.events.emit('user.changed', { userId: ada.userId })
  t.equal((await send('GET', '/api/v1/domains')).status, 401, 'disabled')
})

void t.test('55. an expired token and a malformed one are refused', async (t) => {
  const { id, send, token } = await tokenClient(admin)
  await test.database.db
    .updateTable('personal_tokens')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute()
  t.match(await send('GET', '/api/v1/domains'), { status: 401, body: { code: 'unauthenticated' } })
  for (const bad of ['zkp_', `${token}x`, newPersonalToken()]) {
    const headers = { authorization: `Bearer ${bad}` }
    t.equal((await call(test.app, { method: 'GET', url: '/api/v1/domains', headers })).status, 401)
  }
})

void t.test('a token for some addresses works from those alone', async (t) => {
  const ipRanges = ['192.0.2.0/24', '2001:db8::1']
  const { token } = await tokenClient(admin, { restrictions: { ipRanges } })
  const from = (remoteAddress: string) =>
    call(test.app, {
      method: 'GET',
      url: '/api/v1/domains',
      headers: { authorization: `Bearer ${token}` },
      remoteAddress,
    })
  for (const address of ['192.0.2.200', '::ffff:192.0.2.3', '2001:db8::1']) {
    t.equal((await from(address)).status, 200, address)
  }
  for (const address of ['192.0.3.1', '2001:db8::2']) {
    t.match(await from(address), { status: 403, body: { code: 'forbidden' } }, address)
  }
})

void t.test('60. a token for some domains sees those alone, in lists and totals too', async (t) => {
  const one = await addDomain(admin, 'one.example', [])
  const two = await addDomain(admin, 'two.example', [])
  const { send } = await tokenClient(admin, { restrictions: { domainIds: [one] } })
  const list = await send('GET', '/api/v1/domains?limit=1')
  t.match(list, { status: 200, body: { total: 1, domains: [{ id: one }] } })
  t.equal((await send('GET', `/api/v1/domains/${two}`)).status, 404)
  t.equal((await send('GET', `/api/v1/domains/${two}/records`)).status, 404)
  const body = { recordType: 'A', name: 'x', value: '192.0.2.2' }
  t.equal((await send('POST', `/api/v1/domains/${two}/records`, body)).status, 404)
})

void t.test('60. a token for some names and types sees and changes those alone', async (t) => {
  const domain = await addDomain(admin, 'names.example', [
    ['A', '@', '192.0.2.1'],
    ['A', 'dev', '192.0.2.2'],
    ['A', 'a.dev', '192.0.2.3'],
    ['TXT', 'b.c.dev', 'text'],
    ['CNAME', 'alias.dev', 'example.org'],
  ])
  const all = (await admin.get(`/api/domains/${domain}/records`)).body.records as {
    id: string
    name: string
  }[]
  const idOf = (name: string) => all.find((record) => record.name === name)?.id
  const records = `/api/v1/domains/${domain}/records`
  const { send } = await tokenClient(admin, {
    restrictions: { namePatterns: ['*.dev'], recordTypes: ['A', 'TXT'] },
  })

  const list = await send('GET', records)
  t.match(list.body, { total: 2 })
  t.same(list.body.records.map((record: { name: string }) => record.name).sort(), ['a.dev', 'b.c.dev'])
  t.match((await send('GET', `${records}?limit=1`)).body, { total: 2 })

  t.match((await send('GET', `/api/v1/domains/${domain}`)).body, { recordCount: 2 }, 'counts those')
  const domains = await send('GET', '/api/v1/domains?sort=recordCount')
  t.match(domains.body.domains.at(-1), { id: domain, recordCount: 2 }, 'and orders by that')

  const create = (name: string, recordType = 'A', value = '192.0.2.9') =>
    send('POST', records, { recordType, name, value, ttl: 300 })
  t.equal((await create('new.dev')).status, 201)
  for (const name of ['dev', '@', 'other', 'xdev']) {
    t.match(await create(name), { status: 403, body: { code: 'forbidden' } }, name)
  }
  t.equal((await create('x.dev', 'CNAME', 'example.org')).status, 403, 'another type')
  const beside = await create('alias.dev')
  t.match(beside, { status: 409 }, 'what can not be seen is in the way all the same')
  t.notMatch(JSON.stringify(beside.body), 'example.org')

  t.equal((await send('GET', `${records}/${idOf('dev')}`)).status, 404, 'out of sight')
  t.match(await send('GET', `${records}/${idOf('a.dev')}`), { status: 200, body: { name: 'a.dev' } })
  t.equal((await send('GET', `${records}/${idOf('alias.dev')}`)).status, 404, 'another type')
  t.equal((await send('PUT', `${records}/${idOf('dev')}`, { ttl: 60 })).status, 404, 'out of sight')
  t.equal(
    (await send('PUT', `${records}/${idOf('a.dev')}`, { name: 'dev' })).status,
    403,
    'out of the pattern',
  )
  t.equal((await send('PUT', `${records}/${idOf('a.dev')}`, { ttl: 60 })).status, 200)
  t.equal((await send('DELETE', `${records}/${idOf('@')}`)).status, 404)
  t.equal((await send('DELETE', `${records}/${idOf('b.c.dev')}`)).status, 204)
})

void t.test('the Open API takes access tokens too, and answers as /api does', async (t) => {
  const domain = await addDomain(admin, 'both.example', [['MX', '@', '10 mail.example.com']])
  for (const path of ['/domains', `/domains/${domain}`, `/domains/${domain}/records`]) {
    const [plain, open] = [await admin.get(`/api${path}`), await admin.get(`/api/v1${path}`)]
    t.equal(open.status, 200, path)
    t.same(open.body, plain.body, path)
  }
  const created = await admin.post(`/api/v1/domains/${domain}/records`, {
    recordType: 'A',
    name: 'w',
    value: '192.0.2.1',
  })
  t.match(created.headers['location'], `/api/v1/domains/${domain}/records/${created.body.id}`)
})
