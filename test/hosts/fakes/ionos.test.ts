import t from 'tap'
import { startFakeIonos } from '../../conformance/simulators/ionos.ts'

const fake = await startFakeIonos()
t.teardown(() => fake.close())
const zone = fake.createZone('example.test')

const call = async (method: string, path: string, body?: unknown, key = fake.apiKey, at = fake) => {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${at.apiUrl}${path}`, { method, headers, ...init })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? null : JSON.parse(text)) as unknown }
}
const ZONE = `/zones/${zone.id}`
const RECORDS = `${ZONE}/records`
const record = (name: string, content: string, more: object = {}) => ({
  name: `${name}.example.test`,
  type: 'A',
  content,
  ...more,
})
const at = async (name: string) => {
  const { body } = await call('GET', `${ZONE}?recordName=${name}.example.test`)
  return (body as { records: { id: string; content: string }[] }).records
}
const invalid = (field: string) => ({
  status: 400,
  body: [{ code: 'INVALID_RECORD', parameters: { invalidFields: [field] } }],
})

void t.test('keys and zones', async (t) => {
  t.match(await call('GET', '/zones', undefined, 'no.key'), { status: 401, body: [{ code: 'UNAUTHORIZED' }] })
  t.same((await call('GET', '/zones')).body, [{ name: 'example.test', id: zone.id, type: 'NATIVE' }])
  t.equal((await call('POST', '/zones', { name: 'a.test' })).status, 405)
  t.match(await call('GET', '/zones/no'), { status: 404, body: [{ code: 'ZONE_NOT_FOUND' }] })
  t.match((await call('GET', ZONE)).body, { records: [{ type: 'SOA' }, { type: 'NS' }, { type: 'NS' }] })
})

void t.test('records are made several at once, or none', async (t) => {
  const made = await call('POST', RECORDS, [
    record('www', '192.0.2.1', { ttl: 60 }),
    record('www', '192.0.2.2'),
  ])
  const shown = { name: 'www.example.test', rootName: 'example.test', prio: 0, disabled: false }
  t.match(made, { status: 201, body: [{ ...shown, content: '192.0.2.1' }, shown] })
  t.match(await at('www'), [{ ttl: 3600 }, { ttl: 3600 }], 'one TTL for the set')
  const again = await call('POST', RECORDS, [record('other', '192.0.2.1'), record('www', '192.0.2.1')])
  t.match(again, { status: 400, body: [{ code: 'RECORD_ALREADY_EXISTS' }] })
  t.same(await at('other'), [])
  const [{ id } = { id: '' }] = await at('www')
  const changed = await call('PUT', `${RECORDS}/${id}`, { content: '192.0.2.3', ttl: 90, disabled: true })
  t.match(changed, { status: 200, body: { ...shown, id, content: '192.0.2.3', disabled: true } })
  t.equal((await call('DELETE', `${RECORDS}/${id}`)).status, 200)
  t.match(await call('DELETE', `${RECORDS}/${id}`), { status: 404, body: [{ code: 'RECORD_NOT_FOUND' }] })
})

void t.test('sets, and the whole zone', async (t) => {
  await call('POST', RECORDS, [record('set', '192.0.2.1'), record('set', '192.0.2.2')])
  const mail = { name: 'example.test', type: 'MX', content: 'mx.test.', prio: 10 }
  t.same(await call('PATCH', ZONE, [record('set', '192.0.2.3'), mail]), { status: 200, body: null })
  t.match(await at('set'), [{ content: '192.0.2.3' }])
  t.equal((await call('PATCH', ZONE, [record('set', '192.0.2.4'), record('set', 'no')])).status, 400)
  t.match(await at('set'), [{ content: '192.0.2.3' }])
  t.equal((await call('PUT', ZONE, [record('only', '192.0.2.1')])).status, 200)
  const types = zone.records.map(({ type }) => type)
  t.same(types, ['SOA', 'NS', 'NS', 'A'], 'what is of IONOS stays')
})

void t.test('text is shown in quotes, names without the final dot', async (t) => {
  const text = { name: 'text.example.test', type: 'TXT' }
  await call('POST', RECORDS, [
    { ...text, content: 'say "hi"' },
    { ...text, content: '"a" "b"' },
  ])
  t.match(await at('text'), [{ content: '"say \\"hi\\""' }, { content: '"a" "b"' }])
  const service = { name: '_sip._tcp.example.test', type: 'SRV', prio: 5, content: '6 5060 sip.test.' }
  t.match((await call('POST', RECORDS, [service])).body, [{ prio: 5, content: '6 5060 sip.test' }])
})

void t.test('what is refused', async (t) => {
  await call('POST', RECORDS, [record('alias', 'a.test', { type: 'CNAME' })])
  for (const [body, field] of [
    [{ ...record('www', '192.0.2.9'), name: 'www' }, 'name'],
    [record('x y', '192.0.2.9'), 'name'],
    [record('alias', '192.0.2.9'), 'type'],
    [{ ...record('x', 'ns.test'), type: 'NS', name: 'example.test' }, 'type'],
    [record('x', 'a.test', { type: 'ALIAS' }), 'type'],
    [record('x', '192.0.2.9', { ttl: 59 }), 'ttl'],
    [record('x', '2001:db8::1'), 'content'],
    [record('x', '.', { type: 'MX', prio: 0 }), 'content'],
    [record('x', 'mx.test', { type: 'MX', prio: -1 }), 'prio'],
  ] as const)
    t.match(await call('POST', RECORDS, [body]), invalid(field), JSON.stringify(body))
  t.match(await call('GET', `${ZONE}?recordName=www`), invalid('recordName'))
  const soa = zone.records[0]?.id
  t.match(await call('DELETE', `${RECORDS}/${soa}`), invalid('type'))
})

void t.test('too many calls', async (t) => {
  const narrow = await startFakeIonos({ rate: 1 })
  t.teardown(() => narrow.close())
  const get = () => call('GET', '/zones', undefined, narrow.apiKey, narrow)
  t.equal((await get()).status, 200)
  t.equal((await get()).status, 429)
})
