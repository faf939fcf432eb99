import t from 'tap'
import { startFakeScaleway } from '../../conformance/simulators/scaleway.ts'

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
