import t from 'tap'
import { call, startApp, type Client } from '../helpers/app.ts'

/* Provider connections by personal tokens. */
const { app, admin, addUser, signIn } = await startApp(t)
const POWERDNS = (await admin.get('/api/providers')).body.providers.find(
  ({ key }: { key: string }) => key === 'powerdns',
).id
const MANUAL = '0192f0a0-0000-7000-8000-000000000001'
const CONFIGS = '/api/v1/provider-configs'
const SECRET = 'a-secret-key-of-the-server-0123456789'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

async function by(client: Client, permissions: string[], more: object = {}) {
  const { body } = await client.post('/api/auth/me/tokens', { name: 'program', permissions, ...more })
  const headers = { authorization: `Bearer ${body.token}` }
  return (method: Method, url: string, payload?: object) =>
    call(app, { method, url, headers, ...(payload && { payload }) })
}

let users = 0
async function member(): Promise<Client> {
  const username = `member${users++}`
  await addUser(username)
  return signIn(username)
}

void t.test('providers:write adds, changes and deletes; the secret never comes back', async (t) => {
  const ada = await member()
  const send = await by(ada, ['providers:write'])
  const credentials = { apiUrl: 'https://dns.example.net:8081', apiKey: SECRET }
  const made = await send('POST', CONFIGS, { providerId: POWERDNS, name: 'one', credentials })
  t.match(made, {
    status: 201,
    headers: { location: `${CONFIGS}/${made.body.id}` },
    body: { ownerId: ada.userId },
  })
  const one = `${CONFIGS}/${made.body.id}`
  const changed = await send('PUT', one, { name: 'two' })
  t.match(changed, { status: 200, body: { name: 'two' } })
  for (const { body } of [made, changed]) t.notMatch(JSON.stringify(body), SECRET)
  const moved = { credentials: { apiUrl: 'https://evil.example.net:8081' } }
  t.equal((await send('PUT', one, moved)).status, 400, 'not sent to another address without the secret')
  t.match(await send('GET', one), { status: 403, body: { code: 'permission_missing' } })
  t.equal((await send('DELETE', one)).status, 204)
  t.same((await ada.get('/api/provider-configs')).body.providerConfigs, [])
})

void t.test('each permission allows its own part only', async (t) => {
  const ada = await member()
  const { body } = await ada.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const one = `${CONFIGS}/${body.id}`
  const calls: [string, Method, string, object?][] = [
    ['providers:read', 'GET', CONFIGS],
    ['providers:read', 'GET', one],
    ['providers:test', 'POST', `${one}/test`],
    ['providers:write', 'POST', `${CONFIGS}/test`, { providerId: MANUAL, name: 'x' }],
    ['providers:write', 'POST', CONFIGS, { providerId: MANUAL, name: 'x' }],
    ['providers:write', 'PUT', one, { name: 'changed' }],
    ['providers:write', 'DELETE', one],
  ]
  for (const given of ['providers:read', 'providers:test', 'providers:write']) {
    const send = await by(ada, [given])
    for (const [needed, method, url, payload] of calls) {
      const answer = await send(method, url, payload)
      if (given === needed) t.ok(answer.status < 300, `${given}: ${method} ${url}: ${answer.status}`)
      else t.match(answer, { status: 403, body: { code: 'permission_missing', permission: needed } })
    }
  }
})

void t.test('a restricted token has none of it', async (t) => {
  const ada = await member()
  const { body } = await ada.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const permissions = ['providers:read', 'providers:test', 'providers:write']
  const send = await by(ada, permissions, { restrictions: { namePatterns: ['*'] } })
  const one = `${CONFIGS}/${body.id}`
  const answers = [
    await send('POST', CONFIGS, { providerId: MANUAL, name: 'x' }),
    await send('POST', `${CONFIGS}/test`, { providerId: MANUAL, name: 'x' }),
    await send('PUT', one, { name: 'x' }),
    await send('POST', `${one}/test`),
    await send('DELETE', one),
  ]
  for (const answer of answers) t.match(answer, { status: 403, body: { code: 'forbidden' } })
})

void t.test('connections of others are not there, and none can be made for them', async (t) => {
  const [ada, bob] = [await member(), await member()]
  const { body } = await bob.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const send = await by(ada, ['providers:read', 'providers:test', 'providers:write'])
  const one = `${CONFIGS}/${body.id}`
  t.equal((await send('PUT', one, { name: 'x' })).status, 404)
  t.equal((await send('POST', `${one}/test`)).status, 404)
  t.equal((await send('DELETE', one)).status, 404)
  const forBob = { providerId: MANUAL, name: 'x', ownerId: bob.userId }
  t.equal((await send('POST', CONFIGS, forBob)).status, 403)
  t.equal((await bob.get('/api/provider-configs')).body.providerConfigs[0].name, 'manual')
})
