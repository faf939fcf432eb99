import t from 'tap'
import type { FieldError } from '../../../../plugins/http/errors.ts'
import { nearestName } from '../../../../plugins/http/validation/nearest-name.ts'
import { call } from '../../../helpers/app.ts'
import { operationsOf, type OpenApiDocument } from '../../../helpers/openapi.ts'
import { isProblem } from '../../../helpers/problem.ts'
import { startZone } from '../../../helpers/zone.ts'

const ID = '0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'

const zone = await startZone(t, { environment: { RATE_LIMIT: '100000' } })
const { app, admin, domainId, url, fake } = zone
const { id: recordId } = await zone.add('A', 'first', '192.0.2.1')
const document = (await call(app, { url: '/openapi.json' })).body as OpenApiDocument
const operations = operationsOf(document).map((one) => ({
  ...one,
  url: one.path
    .replace('{providerId}', 'oidc')
    .replace('/domains/{id}', `/domains/${domainId}`)
    .replace('{recordId}', recordId)
    .replace('{name}/{type}', 'first/A')
    .replace(/\{\w+\}/g, ID),
  ignores: /Ignores unknown/.test(one.operation.description ?? ''),
}))

/** Of the second step of signing in, which take no access token, and what sends a stream. */
const isElsewhere = (path: string) => /^\/api\/2fa\/(verify|passkey\/options)$/.test(path)

const unknownIn = (body: { errors?: FieldError[] }, code: string) =>
  (body.errors ?? [])
    .filter((error) => error.code === code)
    .map(({ path, params }) => [path, params?.['nearest']])

const payloadOf = (body: object | undefined) =>
  body && { payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }

async function send(method: string, url: string, body?: object) {
  const { payload, headers } = payloadOf(body) ?? {}
  const authorization = `Bearer ${admin.accessToken}`
  return call(app, {
    method: method.toUpperCase(),
    url,
    headers: { ...headers, authorization },
    ...(payload && { payload }),
  })
}

void t.test('an unknown parameter is refused by every operation that does not say otherwise', async (t) => {
  const taking = operations.filter(({ ignores, path }) => !ignores && !isElsewhere(path))
  t.ok(taking.length > 200)
  for (const { name, method, url, operation } of taking) {
    // Of the parts of a request the body is judged first.
    const example = operation.requestBody?.content['application/json']?.example as object | undefined
    const { status, body } = await send(method, `${url}?zzz=1`, example)
    t.equal(status, 400, name)
    t.match(unknownIn(body, 'unknown_parameter'), [['/zzz']], name)
  }
})

void t.test('an unknown member is refused by every write that does not say otherwise', async (t) => {
  const writes = operations.filter(
    ({ method, ignores, path, operation }) =>
      method !== 'get' &&
      !ignores &&
      !isElsewhere(path) &&
      (!operation.requestBody || operation.requestBody.content['application/json']),
  )
  t.ok(writes.length > 100)
  for (const { name, method, url } of writes) {
    const { status, body } = await send(method, url, { zzz: 1 })
    t.equal(status, 400, name)
    t.match(unknownIn(body, 'unknown_member'), [['/zzz']], name)
  }
})

void t.test('what other programs call says that it ignores unknown names, and why', (t) => {
  const ignoring = operations.filter(({ ignores }) => ignores).map(({ path }) => path)
  t.same(
    ignoring.filter(
      (path) =>
        !/^\/(healthz|readyz|metrics|nic\/|v3\/update|oauth\/oidc|api\/auth\/oauth\/\{providerId\}\/(callback|backchannel-logout)$)/.test(
          path,
        ) && !/^\/api\/v1\/(external-dns|acme-dns|acme\/(present|cleanup)$)/.test(path),
    ),
    [],
  )
  t.ok(ignoring.length > 12)
  t.end()
})

void t.test('a misspelled dry run does nothing', async (t) => {
  fake.patch('example.com', [
    {
      name: 'www.example.com.',
      type: 'A',
      ttl: 300,
      changetype: 'REPLACE',
      records: [{ content: '192.0.2.7', disabled: false }],
    },
  ])
  for (const query of ['dryrun=true', 'dry_run=true', 'DryRun=true']) {
    const answer = await admin.post(`/api/domains/${domainId}/sync?${query}`)
    isProblem(t, answer, 400, 'validation_failed')
    t.match(answer.body.errors, [{ path: `/${query.split('=')[0]}`, params: { nearest: 'dryRun' } }])
    t.match(answer.body.detail, /dryRun/)
  }
  t.match(
    await admin.post(`/api/domains/${domainId}/sync`, { dryRun: true }),
    { status: 400 },
    'nor in a body',
  )
  t.notOk(
    (await zone.here()).some((record) => record.includes('192.0.2.7')),
    'nothing was read',
  )
  const file = { zonefile: 'new A 192.0.2.8', mode: 'merge', dryrun: true }
  isProblem(t, await admin.post(`${url}/import`, file), 400, 'validation_failed')
  isProblem(
    t,
    await admin.post(`${url}/import?dryRun=true`, { ...file, dryrun: undefined }),
    400,
    'validation_failed',
  )
  t.same(zone.there('new', 'A'), [])
})

void t.test('every unknown name is told, with what else is wrong', async (t) => {
  const list = await admin.get('/api/domains?limit=0&serch=x&pages=2')
  t.same(list.body.errors.map(({ path }: FieldError) => path).sort(), ['/limit', '/pages', '/serch'])
  t.match(list.body.detail, /(^|; )limit must be at least 1/, 'parameters by their names alone')
  const record = await admin.post(url, { recordType: 'A', name: 'www', value: '192.0.2', TTL: 300, prio: 1 })
  t.match(unknownIn(record.body, 'unknown_member'), [
    ['/TTL', 'ttl'],
    ['/prio', 'priority'],
  ])
  t.ok(
    record.body.errors.some(({ path }: FieldError) => path === '/value'),
    'and what is no address',
  )
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`x${at}`, at]))
  t.equal((await admin.post('/api/templates', many)).body.errors.length, 20, 'of very many the first')
  const long = await admin.get(`/api/domains?${'x'.repeat(5_000)}=1`)
  t.ok(long.body.errors[0].path.length < 200)
})

void t.test('nested objects too', async (t) => {
  const faults = async (sent: ReturnType<typeof send>) => unknownIn((await sent).body, 'unknown_member')
  const changes = [{ action: 'create', recordType: 'A', name: 'www', value: '192.0.2.1', tll: 60 }]
  t.same(await faults(send('post', `${url}/plan`, { changes })), [['/changes/0/tll', 'ttl']])
  const set = { ids: [domainId], set: { groupName: 'x', tag: ['a'] } }
  t.same(await faults(send('put', '/api/domains/bulk', set)), [['/set/tag', 'tags']])
  const data = { priority: 10, host: 'mail.example.com', prioritty: 1 }
  t.match(await faults(send('post', url, { recordType: 'MX', name: '@', data })), [['/data/prioritty']])
  const credentials = { apiUrl: fake.url, apiKey: fake.apiKey, apikey: 'x' }
  const config = { providerId: '0192f0a0-0000-7000-8000-000000000002', name: 'x', credentials }
  t.same(await faults(send('post', '/api/provider-configs', config)), [['/credentials/apikey', 'apiKey']])
  const channel = {
    channel: 'webhook',
    name: 'x',
    events: ['domain.*'],
    config: { ulr: 'https://example.com' },
  }
  t.match(await faults(send('post', '/api/notifications', channel)), [['/config/ulr', 'url']])
  const bulk = { records: [{ recordType: 'A', name: 'b', value: '192.0.2.1', tll: 60 }] }
  t.match((await send('post', `${url}/bulk`, bulk)).body.results, [{ success: false, error: /tll.*ttl/ }])
  t.same(zone.there('b', 'A'), [])
})

void t.test('a resource that was read may be sent back whole', async (t) => {
  const { id } = await zone.add('MX', '@', '10 mail.example.com')
  const token = {
    name: 'web',
    events: ['domain.expiring'],
    channel: 'webhook',
    config: { url: 'https://example.com/' },
  }
  const made = async (path: string, body: object) =>
    `${path.replace('/api/notifications', '/api/notifications/configs')}/${(await admin.post(path, body)).body.id}`
  const member = await zone.addUser('member')
  const template = { name: 'web', records: [{ recordType: 'A', name: '@', value: '192.0.2.1' }] }
  const places = [
    `/api/domains/${domainId}`,
    `/api/v1/domains/${domainId}`,
    `${url}/${id}`,
    `/api/users/${member}`,
    `/api/provider-configs/${zone.configId}`,
    await made('/api/templates', template),
    await made('/api/notifications', token),
    await made('/api/assignments', { userId: member, domainId, subdomainPattern: 'app', permission: 'read' }),
  ]
  for (const place of places) {
    const { body } = await admin.get(place)
    t.match(await admin.put(place, body), { status: 200 }, place)
    const answer = await admin.put(place, { ...body, createdat: 'x' })
    t.match(unknownIn(answer.body, 'unknown_member'), [['/createdat']], place)
  }
  const { user } = (await admin.get('/api/auth/me')).body
  t.match(await admin.put('/api/auth/me/profile', user), { status: 200 })
  const { name: _, ...shown } = (await admin.get(places[3] ?? '')).body
  t.match(await admin.put(places[3] ?? '', { id: shown.id, createdAt: shown.createdAt }), { status: 400 })
})

void t.test('the nearest name', (t) => {
  const known = ['limit', 'page', 'recordType', 'dryRun', 'search']
  const cases = { dryrun: 'dryRun', 'dry-run': 'dryRun', type: 'recordType', lmit: 'limit', Serch: 'search' }
  for (const [given, nearest] of Object.entries(cases)) t.equal(nearestName(given, known), nearest, given)
  t.equal(nearestName('x', []), null)
  t.end()
})
