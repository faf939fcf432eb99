import { randomUUID } from 'node:crypto'
import t from 'tap'
import { call } from '../../helpers/app.ts'
import { startZone } from '../../helpers/zone.ts'

interface Operation {
  requestBody?: { content: Record<string, { example: object | string }> }
}

const zone = await startZone(t)
const { app, admin, addUser, signIn, domainId } = zone
await addUser('mallory')
const mallory = await signIn('mallory')
const record = await zone.add('A', 'www', '192.0.2.1')
const change = (await admin.get(`/api/domains/${domainId}/changes`)).body.changes[0]

/** Every route of the description below a domain or a configuration, with a valid body. */
const { paths } = (await call(app, { url: '/openapi.json' })).body as {
  paths: Record<string, Record<string, Operation>>
}
const routes = Object.entries(paths)
  .filter(([path]) => /^\/api\/(domains|provider-configs)\/\{id\}/.test(path))
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const method = name.toUpperCase() as 'GET' | 'POST' | 'PUT' | 'DELETE'
      return { method, path, operation }
    }),
  )

const urlOf = (path: string) =>
  path
    .replace('{id}', path.startsWith('/api/domains/') ? domainId : zone.configId)
    .replace('{recordId}', record.id)
    .replace('{changeId}', change.id)
    .replace('{mirrorId}', randomUUID())
    .replace('{name}', 'www')
    .replace('{type}', 'A')

/** A valid body with its type, where there is one. */
function bodyOf({ requestBody }: Operation) {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  return type && media ? { headers: { 'content-type': type }, payload: media.example } : { headers: {} }
}

void t.test('60. what belongs to another is not there, on every route', async (t) => {
  t.ok(routes.length >= 20, `${routes.length} routes`)
  const [calls, before] = [zone.fake.requests.length, await zone.here()]
  for (const { method, path, operation } of routes) {
    const { headers, ...body } = bodyOf(operation)
    const answer = await call(app, {
      method,
      url: urlOf(path),
      headers: { authorization: `Bearer ${mallory.accessToken}`, ...headers },
      ...body,
    })
    t.match(answer, { status: 404, body: { code: 'not_found' } }, `${method} ${path}`)
    t.notMatch(JSON.stringify(answer.body), /example\.com|192\.0\.2/, `${method} ${path} tells nothing`)
  }
  t.equal(zone.fake.requests.length, calls, 'the provider was not called')
  t.same(await zone.here(), before)
})

void t.test('59. nobody without a token gets anything, on every route', async (t) => {
  for (const { method, path, operation } of routes) {
    const answer = await call(app, { method, url: urlOf(path), ...bodyOf(operation) })
    t.match(answer, { status: 401, body: { code: 'unauthenticated' } }, `${method} ${path}`)
  }
})

void t.test('60. an id of another domain of the own does not help', async (t) => {
  await addUser('ada')
  const ada = await signIn('ada')
  const config = await ada.post('/api/provider-configs', {
    providerId: '0192f0a0-0000-7000-8000-000000000001',
    name: 'own',
  })
  const { body: own } = await ada.post('/api/domains', {
    name: 'own.example',
    providerConfigId: config.body.id,
  })
  const base = `/api/domains/${own.id}`
  for (const answer of [
    await ada.put(`${base}/records/${record.id}`, { ttl: 60 }),
    await ada.delete(`${base}/records/${record.id}`),
    await ada.get(`${base}/changes/${change.id}`),
    await ada.post(`${base}/changes/${change.id}/revert`),
  ]) {
    t.match(answer, { status: 404, body: { code: 'not_found' } })
  }
  const changes = [{ action: 'delete', recordId: record.id }]
  const planned = await ada.post(`${base}/records/plan`, { changes })
  t.match(planned, { status: 200, body: { deletes: { length: 0 }, conflicts: [{ kind: 'not_found' }] } })
  t.match(await ada.post(`${base}/records/apply`, { changes }), { status: 409 })
  t.same(zone.there('www', 'A'), ['192.0.2.1'])
})

void t.test('one domain says what its row in the list says', async (t) => {
  const body = { username: 'mallory', domainId, subdomainPattern: 'www', permission: 'read' }
  t.equal((await admin.post('/api/assignments', body)).status, 201)
  for (const client of [admin, mallory]) {
    const { body: one } = await client.get(`/api/domains/${domainId}`)
    const [row] = (await client.get('/api/domains?search=example')).body.domains
    t.match(row, { owner: { username: 'root' }, providerKey: String })
    t.match(one, row)
  }
})
