import t from 'tap'
import { call, startApp, type Client } from '../helpers/app.ts'

/* Channels by personal tokens: of administrators only. */
const { app, admin, addUser, signIn } = await startApp(t)
const SECRET = 'whsec_Mk5R9r8GKYqrTwjUPD8ILPZIo2LaLb7x'
const CONFIGS = '/api/v1/notifications/configs'
const channel = {
  channel: 'webhook',
  name: 'Hook',
  config: { url: 'https://hooks.example.net/one', secret: SECRET },
  events: ['*'],
  enabled: false,
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

async function by(client: Client, permissions: string[], more: object = {}) {
  const { body } = await client.post('/api/auth/me/tokens', { name: 'program', permissions, ...more })
  const headers = { authorization: `Bearer ${body.token}` }
  return (method: Method, url: string, payload?: object) =>
    call(app, { method, url, headers, ...(payload && { payload }) })
}

void t.test('each permission allows its own part, and the secret never comes back', async (t) => {
  const [reader, writer] = [await by(admin, ['channels:read']), await by(admin, ['channels:write'])]
  const made = await writer('POST', '/api/v1/notifications', channel)
  t.match(made, { status: 201, headers: { location: `${CONFIGS}/${made.body.id}` } })
  const one = `${CONFIGS}/${made.body.id}`
  const calls: [Method, string, object?][] = [
    ['GET', CONFIGS],
    ['GET', '/api/v1/notifications/channels'],
    ['GET', one],
    ['GET', `${one}/deliveries`],
  ]
  const missing = { status: 403, body: { code: 'permission_missing' } }
  for (const [method, url] of calls) {
    const answer = await reader(method, url)
    t.equal(answer.status, 200, url)
    t.notMatch(JSON.stringify(answer.body), SECRET)
    t.match(await writer(method, url), missing, url)
  }
  const changes: [Method, string, object?][] = [
    ['POST', '/api/v1/notifications', channel],
    ['PUT', one, { name: 'Renamed' }],
    ['POST', `${one}/test`],
    ['DELETE', one],
  ]
  for (const [method, url, payload] of changes) t.match(await reader(method, url, payload), missing, url)
  t.match(await writer('PUT', one, { name: 'Renamed' }), { status: 200, body: { name: 'Renamed' } })
  t.equal((await writer('DELETE', one)).status, 204)
})

void t.test('members and restricted tokens are refused', async (t) => {
  await addUser('mia')
  const permissions = ['channels:read', 'channels:write']
  const refused = [
    await by(await signIn('mia'), permissions),
    await by(admin, permissions, { restrictions: { recordTypes: ['TXT'] } }),
  ]
  for (const send of refused) {
    t.match(await send('GET', CONFIGS), { status: 403, body: { code: 'forbidden' } })
    t.match(await send('POST', '/api/v1/notifications', channel), {
      status: 403,
      body: { code: 'forbidden' },
    })
  }
  t.same((await admin.get('/api/notifications/configs')).body.configs, [])
})
