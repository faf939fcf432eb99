import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { call, PASSWORD, startApp, type Client } from '../helpers/app.ts'
import { Authenticator } from '../helpers/authenticator.ts'
import { listen } from '../helpers/stream.ts'
import { ENVIRONMENT, ORIGIN, register, signInAlone } from './passkeys/ceremonies.ts'
import { addTotp, ageSessions, calm, codeOf, login, setEmail, tempToken, verify } from './two-factor/steps.ts'

/* A second factor that the service requires: what an account without one can do, and nothing else. */
const MANUAL = '0192f0a0-0000-7000-8000-000000000001'
const REFUSED = { status: 403, body: { code: 'second_factor_required' } }
const STAYS = { status: 409, body: { code: 'conflict', reason: 'second_factor_required' } }

/** One installation before the setting, and restarted with each value of it. */
const before = await startApp(t, { alone: false, environment: ENVIRONMENT })
const { database, addUser } = before
const restarted = (rule: string) =>
  startApp(t, { alone: false, database, environment: { ...ENVIRONMENT, REQUIRE_SECOND_FACTOR: rule } })
const everyone = await restarted('everyone')
const admins = await restarted('admins')

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const send = (app: FastifyInstance, token: string, method: Method, url: string, payload?: object) =>
  call(app, { method, url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) })

/** The same session at another of the services. */
const at = ({ app }: { app: FastifyInstance }, { accessToken, ...client }: Client): Client => ({
  ...client,
  accessToken,
  get: (url) => send(app, accessToken, 'GET', url),
  post: (url, body) => send(app, accessToken, 'POST', url, body as object),
  put: (url, body) => send(app, accessToken, 'PUT', url, body as object),
  delete: (url) => send(app, accessToken, 'DELETE', url),
})

async function newUser(name: string, role: 'admin' | 'member' = 'member') {
  const id = await addUser(name, role)
  return { id, client: await before.signIn(name) }
}

/** What setting up a factor takes, and reading and ending the own session. */
const OPEN = new Set([
  'GET /api/auth/me',
  'GET /api/2fa',
  'POST /api/2fa/totp/setup',
  'POST /api/2fa/totp/enable',
  'POST /api/2fa/email/send',
  'POST /api/2fa/email/enable',
  'GET /api/2fa/passkeys',
  'POST /api/2fa/passkeys',
  'POST /api/2fa/passkeys/options',
])

interface Operation {
  security: Record<string, unknown>[]
  requestBody?: { content: Record<string, { example?: object }> }
}

async function operationsOf(app: FastifyInstance, document: string, prefix = '') {
  const { paths } = (await call(app, { url: document })).body as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, requestBody }]) => ({
      name: `${method.toUpperCase()} ${prefix}${path}`,
      method: method.toUpperCase() as Method,
      url: prefix + path.replaceAll(/\{\w+\}/g, '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'),
      schemes: security.flatMap((one) => Object.keys(one)),
      isPublic: security.length === 0 || security.some((one) => Object.keys(one).length === 0),
      example: requestBody?.content['application/json']?.example,
    })),
  )
}

void t.test('107. every route but those that set one up refuses a session without a factor', async (t) => {
  for (const [name, role] of [
    ['table-member', 'member'],
    ['table-admin', 'admin'],
  ] as const) {
    const { client } = await newUser(name, role)
    const guarded = (await operationsOf(everyone.app, '/openapi.json')).filter(
      ({ isPublic, name }) => !isPublic && !OPEN.has(name),
    )
    let refused = 0
    for (const { name, method, url, schemes, example } of guarded) {
      if (schemes.every((scheme) => /temp/i.test(scheme))) continue
      const answer = await send(everyone.app, client.accessToken, method, url, example)
      // dyndns2 has words of its own.
      t.match(answer, /^\/(nic|v3)\//.test(url) ? { status: 403, body: 'badauth\n' } : REFUSED, name)
      refused++
    }
    t.ok(refused > 150, `${refused} routes for ${role}`)
  }
})

void t.test('107. MCP and the event stream refuse it too, and open streams end', async (t) => {
  const { id, client } = await newUser('streams')
  const session = at(everyone, client)
  t.match(await session.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }), REFUSED)
  const base = await everyone.app.listen({ host: '127.0.0.1', port: 0 })
  const refused = await listen(base, { query: { token: client.accessToken } })
  t.equal(refused.status, 403)
  refused.close()

  const adminsBase = await admins.app.listen({ host: '127.0.0.1', port: 0 })
  const stream = await listen(adminsBase, { token: client.accessToken })
  t.equal(stream.status, 200)
  await addTotp(at(admins, before.admin))
  t.match(await at(admins, before.admin).put(`/api/users/${id}`, { role: 'admin' }), { status: 200 })
  await stream.ended
  t.match(await at(admins, client).get('/api/domains'), REFUSED, 'a promotion counts at once')
  t.match(await at(admins, before.admin).put(`/api/users/${id}`, { role: 'member' }), { status: 200 })
  t.match(await at(admins, client).get('/api/domains'), { status: 200 }, 'and so does the way back')
})

void t.test('107. the session reads itself, renews and ends itself, and nothing of others', async (t) => {
  const { id, client } = await newUser('reader')
  const other = await newUser('stranger')
  const session = at(everyone, client)
  t.match(await session.get('/api/auth/me'), { status: 200, body: { user: { id } } })
  t.match(await session.get('/api/2fa'), { status: 200, body: { enabled: false, required: true } })
  t.match(await at(admins, client).get('/api/2fa'), { body: { required: false } })
  t.match(await session.get(`/api/users/${other.id}`), REFUSED)
  t.match(await session.get('/api/auth/me/sessions'), REFUSED)
  t.match(await session.put('/api/auth/me/profile', { displayName: 'Eve' }), REFUSED)
  t.match(await session.put('/api/auth/me/password', { oldPassword: PASSWORD, newPassword: 'x' }), REFUSED)
  const renewed = await call(everyone.app, {
    method: 'POST',
    url: '/api/auth/refresh',
    payload: { refreshToken: client.refreshToken },
  })
  t.equal(renewed.status, 200)
  t.match(await send(everyone.app, renewed.body.accessToken, 'GET', '/api/domains'), REFUSED)
  t.match(await session.post('/api/auth/logout'), { status: 204 })
  t.match(await session.get('/api/auth/me'), { status: 401 })
})

void t.test('107. an authenticator app is set up with the password again, and opens the rest', async (t) => {
  const { id, client } = await newUser('enrolling')
  const session = at(everyone, client)
  await ageSessions(everyone, id)
  const { body: setup } = await session.post('/api/2fa/totp/setup')
  await calm()
  const code = codeOf(setup.secret, -30)
  t.match(await session.post('/api/2fa/totp/enable', { code }), {
    status: 403,
    body: { code: 'reauthentication_required' },
  })
  const enabled = await session.post('/api/2fa/totp/enable', { code, password: PASSWORD })
  t.match(enabled, { status: 200, body: { recoveryCodes: Array } })
  t.match(await session.get('/api/domains'), { status: 200 })

  t.match(await session.delete('/api/2fa/totp'), { status: 403 }, 'without the password')
  const removed = await send(everyone.app, client.accessToken, 'DELETE', '/api/2fa/totp', {
    password: PASSWORD,
  })
  t.match(removed, STAYS)
  t.match(await session.get('/api/2fa'), {
    body: { enabled: true, methods: ['totp'], recoveryCodesLeft: 10 },
  })
  const token = await tempToken(everyone, 'enrolling')
  const signedIn = await verify(everyone, token, { method: 'totp', code: codeOf(setup.secret) })
  t.match(await send(everyone.app, signedIn.body.accessToken, 'GET', '/api/domains'), { status: 200 })
})

void t.test('107. a passkey counts, signs in alone, and stays while it is the only factor', async (t) => {
  const { client } = await newUser('key-holder')
  const session = at(everyone, client)
  const authenticator = new Authenticator(ORIGIN)
  const added = await register(session, authenticator)
  t.equal(added.status, 201)
  t.match(await session.get('/api/domains'), { status: 200 })
  t.match(await session.delete(`/api/2fa/passkeys/${added.body.id}`), STAYS)
  const { secret } = await addTotp(session)
  t.ok(secret)
  t.match(await session.delete(`/api/2fa/passkeys/${added.body.id}`), { status: 204 }, 'not the last one')
  t.match(await session.delete('/api/2fa/totp'), STAYS)
  const again = await register(session, authenticator)
  t.match(await session.delete('/api/2fa/totp'), { status: 204 })
  const alone = await signInAlone(everyone, authenticator)
  t.match(await send(everyone.app, alone.body.accessToken, 'GET', '/api/domains'), { status: 200 })
  t.match(
    await at(admins, client).delete(`/api/2fa/passkeys/${again.body.id}`),
    { status: 204 },
    'not required',
  )
})

void t.test('107. codes by email count where the project counts them', async (t) => {
  const { id, client } = await newUser('reads-mail')
  await setEmail(everyone, id, 'mail@example.com')
  t.match(await at(everyone, client).post('/api/2fa/email/send'), { status: 503 }, 'open, but no mail server')
  await database.db.updateTable('users').set({ email_codes_enabled: true }).where('id', '=', id).execute()
  everyone.app.events.emit('user.changed', { userId: id })
  t.match(await at(everyone, client).get('/api/domains'), { status: 200 })
})

void t.test(
  '107. a sign-in after the setting came is held to it; admins only where it says so',
  async (t) => {
    await addUser('late-member')
    await addUser('late-admin', 'admin')
    const signedIn = async (service: typeof everyone, name: string) =>
      (await login(service, name)).body.accessToken as string
    for (const [service, name, expected] of [
      [everyone, 'late-member', REFUSED],
      [everyone, 'late-admin', REFUSED],
      [admins, 'late-member', { status: 200 }],
      [admins, 'late-admin', REFUSED],
      [before, 'late-admin', { status: 200 }],
    ] as const) {
      t.match(await send(service.app, await signedIn(service, name), 'GET', '/api/domains'), expected, name)
    }
  },
)

void t.test('107. tokens rest while their owner has no factor; those of machines work', async (t) => {
  const { client } = await newUser('automates')
  const created = await client.post('/api/auth/me/tokens', {
    name: 'old',
    permissions: ['domains:read', 'ddns:update', 'acme:challenge'],
  })
  const { token } = created.body as { token: string }
  const session = at(everyone, client)
  t.match(await send(before.app, token, 'GET', '/api/v1/domains'), { status: 200 })
  t.match(await send(everyone.app, token, 'GET', '/api/v1/domains'), REFUSED)
  t.match(await send(everyone.app, token, 'GET', '/api/v1/token'), REFUSED)
  t.match(await send(everyone.app, token, 'POST', '/api/v1/token/rotate'), REFUSED)
  t.match(await send(everyone.app, token, 'POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }), REFUSED)
  const basic = `Basic ${Buffer.from(`automates:${token}`).toString('base64')}`
  const ddns = { url: '/nic/update?hostname=a.example.com&myip=192.0.2.1', headers: { authorization: basic } }
  t.match(await call(everyone.app, ddns), { status: 403, body: 'badauth\n' })
  t.match(await session.post('/api/auth/me/tokens', { name: 'new', permissions: ['domains:read'] }), REFUSED)
  await addTotp(session)
  t.match(await send(everyone.app, token, 'GET', '/api/v1/domains'), { status: 200 }, 'at once')

  const admin = at(everyone, before.admin)
  const machine = await admin.post('/api/users', { kind: 'machine', username: 'robot', role: 'admin' })
  const made = await admin.post(`/api/users/${machine.body.id}/tokens`, {
    name: 'ci',
    permissions: ['domains:read'],
  })
  t.match(await send(everyone.app, made.body.token, 'GET', '/api/v1/domains'), { status: 200 })
  t.match(await send(admins.app, made.body.token, 'GET', '/api/v1/domains'), { status: 200 })
})

void t.test('107. acme-dns credentials rest with their owner', async (t) => {
  const { client } = await newUser('certifies')
  const config = await client.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const domain = await client.post('/api/domains', {
    name: 'certified.example',
    providerConfigId: config.body.id,
  })
  t.equal(domain.status, 201)
  const { body: account } = await client.post('/api/v1/acme-dns/certified.example/register')
  const update = (app: FastifyInstance) =>
    call(app, {
      method: 'POST',
      url: '/api/v1/acme-dns/update',
      headers: { 'x-api-user': account.username, 'x-api-key': account.password },
      payload: { subdomain: account.subdomain, txt: 'A'.repeat(43) },
    })
  t.match(await update(everyone.app), REFUSED)
  t.match(await update(before.app), { status: 200 })
})

void t.test('107. removing a factor for somebody else restricts them; one’s own stays', async (t) => {
  const { id, client } = await newUser('lost-phone')
  const session = at(everyone, client)
  const admin = at(everyone, before.admin)
  await addTotp(session)
  t.match(await admin.delete(`/api/users/${id}/two-factor`), { status: 204 })
  t.match(await session.get('/api/domains'), REFUSED)
  t.match(await admin.delete(`/api/users/${before.admin.userId}/two-factor`), STAYS)
  t.match(await admin.get('/api/domains'), { status: 200 })
})
