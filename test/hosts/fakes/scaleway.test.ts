import t from 'tap'
import { RECORD_TYPES, typeOf } from '../../../dns/types/index.ts'
import { startFakeScaleway } from '../../conformance/simulators/scaleway.ts'
import { TYPES } from '../../conformance/simulators/scaleway-zone.ts'

const fake = await startFakeScaleway()
t.teardown(() => fake.close())
fake.registered.add('example.test')
fake.createZone('example.test')

interface Answer {
  total_count?: number
  records?: { id: string; name: string; data: string }[]
  dns_zones?: { status: string }[]
}
const call = async (method: string, path: string, body?: unknown, key = fake.secretKey, at = fake) => {
  const headers = { 'x-auth-token': key, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${at.apiUrl}${path}`, { method, headers, ...init })
  return { status: answer.status, body: (await answer.json()) as Answer }
}
const RECORDS = '/dns-zones/example.test/records'
const patch = (...changes: unknown[]) => call('PATCH', RECORDS, { changes, disallow_new_zone_creation: true })
const add = (...records: unknown[]) => patch({ add: { records } })
const at = async (name: string) => (await call('GET', `${RECORDS}?name=${name}`)).body.records ?? []
const invalid = (argument_name: string) => ({
  status: 400,
  body: { type: 'invalid_arguments', details: [{ argument_name }] },
})

void t.test('keys and zones', async (t) => {
  t.match(await call('GET', '/dns-zones', undefined, 'no'), {
    status: 401,
    body: { type: 'denied_authentication' },
  })
  const wanted = { domain: 'example.test', subdomain: 'sub', project_id: fake.projectId }
  t.match(await call('POST', '/dns-zones', wanted, fake.readKey), { status: 403 })
  t.match(await call('POST', '/dns-zones', wanted), { status: 200, body: { ...wanted, status: 'active' } })
  t.match(await call('POST', '/dns-zones', wanted), { status: 409 })
  t.match(await call('POST', '/dns-zones', { ...wanted, domain: 'other.test' }), {
    status: 404,
    body: { type: 'not_found', resource: 'domain' },
  })
  t.match((await call('GET', '/dns-zones?dns_zones=sub.example.test')).body, { total_count: 1 })
  t.match((await call('GET', '/dns-zones?dns_zones=ample.test')).body, {
    total_count: 0,
    dns_zones: { length: 0 },
  })
  const elsewhere = '00000000-0000-4000-8000-000000000000'
  t.match((await call('GET', `/dns-zones?project_id=${elsewhere}`)).body, { total_count: 0 })
  t.equal((await call('GET', '/dns-zones?project_id=no')).status, 400)
  t.same(await call('DELETE', '/dns-zones/sub.example.test'), { status: 200, body: {} })
  t.equal((await call('DELETE', '/dns-zones/sub.example.test')).status, 404)
  t.equal((await call('GET', '/dns-zones/other.test/records')).status, 403, "others' are not missing")
})

void t.test('a zone that is not there is made, unless that is said', async (t) => {
  const changes = [{ add: { records: [{ name: 'www', type: 'A', data: '192.0.2.1' }] } }]
  const path = '/dns-zones/new.example.test/records'
  t.equal((await call('PATCH', path, { changes, disallow_new_zone_creation: true })).status, 404)
  t.equal((await call('PATCH', path, { changes })).status, 200)
  t.ok(fake.zoneNames().includes('new.example.test'))
  const status = async () => (await call('GET', '/dns-zones?dns_zones=new.example.test')).body.dns_zones
  t.match(await status(), [{ status: 'pending' }])
  t.match(await status(), [{ status: 'active' }])
})

void t.test('data is shown as master files have it', async (t) => {
  await add(
    { name: '@', type: 'MX', data: 'mx.test.', priority: 10 },
    { name: 'x', type: 'MX', data: '20 mail' },
    { name: 'text', type: 'TXT', data: 'say "hi"', comment: 'of mine' },
    { name: 'text', type: 'TXT', data: '"a" "b"' },
  )
  t.match((await call('GET', `${RECORDS}?name=@&type=MX`)).body.records, [
    { name: '', data: '10 mx.test.', priority: 10, ttl: 3600, comment: null },
  ])
  t.match(await at('x'), [{ data: '20 mail.example.test.', priority: 20 }], 'below the zone without the dot')
  t.match(await at('text'), [{ data: '"say \\"hi\\""', comment: 'of mine' }, { data: '"a" "b"' }])
  t.ok((await at('')).length > 4, 'an empty name is none')
})

void t.test('changes are done in order, all or none', async (t) => {
  const record = (data: string, ttl = 300) => ({ name: 'www', type: 'A', data, ttl })
  const first = (await add(record('192.0.2.1'))).body.records?.[0]?.id
  t.match(await add(record('192.0.2.1')), invalid('data'), 'what is there is not taken once more')
  const id_fields = { name: 'www', type: 'A', data: '192.0.2.1' }
  const set = await patch({ set: { id: first, records: [record('192.0.2.2'), record('192.0.2.1', 60)] } })
  t.match(set.body.records, [{ ttl: 60 }, { ttl: 60 }], 'one TTL for the set')
  t.notOk(
    (await at('www')).some(({ id }) => id === first),
    'with other ids',
  )
  const failing = await patch({ delete: { id_fields } }, { delete: { id: first } })
  t.match(failing, { status: 404, body: { type: 'not_found', resource: 'record' } })
  t.equal((await at('www')).length, 2)
  t.equal((await patch({ delete: { id_fields } })).status, 200)
  t.match(await at('www'), [{ data: '192.0.2.2' }])
  const missing = { name: 'set', type: 'A' }
  await patch({ set: { id_fields: missing, records: [{ ...missing, data: '192.0.2.3' }] } })
  t.match(await at('set'), [{ data: '192.0.2.3' }], 'what fields mean need not be there to be set')
})

void t.test('what is refused', async (t) => {
  await add({ name: 'alias', type: 'CNAME', data: 'a.test.' })
  const good = { name: 'x', type: 'A', data: '192.0.2.1' }
  for (const [record, argument] of [
    [{ ...good, name: 'alias' }, 'name'],
    [{ ...good, name: 'x y' }, 'name'],
    [{ ...good, name: '', type: 'CNAME', data: 'a.test.' }, 'name'],
    [{ ...good, type: 'WKS' }, 'type'],
    [{ ...good, data: '2001:db8::1' }, 'data'],
    [{ ...good, ttl: 59 }, 'ttl'],
    [{ ...good, geo_ip_config: {}, view_config: {} }, 'dynamic_data'],
  ] as const)
    t.match(await add(record), invalid(argument), JSON.stringify(record))
  t.match(await patch(), invalid('changes'))
})

void t.test('pages', async (t) => {
  const paged = fake.createZone('paged.example.test')
  const records = Array.from({ length: 1001 }, (_, i) => ({ name: `h${i}`, type: 'A', data: '192.0.2.1' }))
  paged.patch([{ add: { records } }])
  const get = async (query: string) => call('GET', `/dns-zones/paged.example.test/records${query}`)
  t.match(await get(''), { body: { total_count: 1003, records: { length: 20 } } })
  t.match(await get('?page_size=1000&page=2'), { body: { records: { length: 3 } } })
  t.match(await get('?page_size=1001'), invalid('page_size'))
})

void t.test('each type that both have goes there and comes back', async (t) => {
  for (const type of RECORD_TYPES.filter((known) => TYPES.includes(known))) {
    const name = `of-${type.toLowerCase()}`
    const data = typeOf(type).write(typeOf(type).example)
    t.equal((await add({ name, type, data })).status, 200, type)
    t.match(await at(name), [{ data }])
  }
})

void t.test('too many calls', async (t) => {
  const narrow = await startFakeScaleway({ rate: 1 })
  t.teardown(() => narrow.close())
  const get = () => call('GET', '/dns-zones', undefined, narrow.secretKey, narrow)
  t.equal((await get()).status, 200)
  t.match(await get(), { status: 429, body: { type: 'too_many_requests' } })
})
