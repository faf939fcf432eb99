import t from 'tap'
import { startTechnitiumSimulator } from '../../conformance/simulators/technitium.ts'

const sim = await startTechnitiumSimulator()
t.teardown(() => sim.close())
const zone = sim.createZone('example.test')

interface Answer {
  status: string
  errorMessage?: string
  response?: { records?: { name: string; type: string }[]; zones?: unknown[]; [name: string]: unknown }
}
type Parameters = Record<string, string>

const call = async (path: string, parameters: Parameters = {}, token = sim.token): Promise<Answer> => {
  const body = new URLSearchParams(parameters)
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${sim.apiUrl}/${path}`, { method: 'POST', headers, body })
  t.equal(answer.status, 200, 'whatever went wrong')
  return (await answer.json()) as Answer
}
const records = (action: string, name: string, more: Parameters) =>
  call(`zones/records/${action}`, { domain: `${name}.example.test`, zone: 'example.test', ...more })
const at = async (name: string) => {
  const { response } = await records('get', name, {})
  return response?.records ?? []
}
const refused = (errorMessage: RegExp) => ({ status: 'error', errorMessage, stackTrace: /DnsServerCore/ })

void t.test('tokens: in the header, in the form, in the address', async (t) => {
  t.match(await call('zones/list', {}, 'no'), { status: 'invalid-token' })
  t.match(await call('zones/list', { token: sim.token }, ''), { status: 'ok' })
  const answer = await fetch(`${sim.apiUrl}/zones/list?token=${sim.token}`)
  t.match(await answer.json(), { status: 'ok' })
  t.match(await call('user/session/get'), { username: 'user', token: sim.token, status: 'ok' })
  t.match(await call('zones/create', { zone: 'a.test', type: 'Primary' }, sim.readToken), refused(/denied/))
})

void t.test('records have no ids: what they say is what they are', async (t) => {
  const one = { type: 'A', ipAddress: '192.0.2.1', ttl: '300', comments: 'kept' }
  const shown = { name: 'www.example.test', type: 'A', ttl: 300, rData: { ipAddress: '192.0.2.1' } }
  t.match(await records('add', 'www', one), { response: { addedRecord: { ...shown, comments: 'kept' } } })
  t.match(await records('add', 'www', one), refused(/record already exists/))
  await records('add', 'www', { type: 'A', ipAddress: '192.0.2.2' })
  t.match(await at('www'), [{ ttl: 3600 }, { ttl: 3600 }], 'a set has the TTL that was said last')
  const renewed = { type: 'A', ipAddress: '192.0.2.1', newIpAddress: '192.0.2.3', ttl: '60', disable: 'true' }
  t.match(await records('update', 'www', renewed), {
    response: { updatedRecord: { disabled: true, ttl: 60 } },
  })
  await records('update', 'www', { type: 'A', ipAddress: '192.0.2.3' })
  const [, changed] = await at('www')
  t.match(changed, { disabled: false, rData: { ipAddress: '192.0.2.3' }, ttl: 3600 })
  t.notHas(changed, { comments: 'kept' }, 'what an update does not say is reset')
  t.match(await records('update', 'www', renewed), refused(/old record/))
  t.match(await records('delete', 'www', { type: 'A', ipAddress: '192.0.2.9' }), { status: 'ok' })
  await records('add', 'www', { type: 'A', ipAddress: '192.0.2.4', overwrite: 'true' })
  t.match(await at('www'), { length: 1 })
})

void t.test('what is refused', async (t) => {
  await records('add', 'alias', { type: 'CNAME', cname: 'target.test.' })
  t.match(await at('alias'), [{ rData: { cname: 'target.test' } }], 'names are shown without the final dot')
  for (const [name, parameters, message] of [
    ['alias', { type: 'A', ipAddress: '192.0.2.1' }, /CNAME/],
    ['www', { type: 'CNAME', cname: 'target.test' }, /CNAME/],
    ['x', { type: 'A', ipAddress: '2001:db8::1' }, /ipAddress/],
    ['x', { type: 'MX', exchange: 'mx.test' }, /'preference' missing/],
    ['x', { type: 'LOC', rdata: '00' }, /type/],
    ['x', { type: 'TXT', text: '' }, /'text' missing/],
    ['x', { type: 'A', ipAddress: '192.0.2.1', ttl: '-1' }, /ttl/],
    ['x', { type: 'HTTPS', svcPriority: '1', svcTargetName: '.', svcParams: 'key65400|a' }, /svcParams/],
    ['x y', { type: 'A', ipAddress: '192.0.2.1' }, /name/],
  ] as const)
    t.match(await records('add', name, parameters), refused(message))
  t.match(await call('zones/records/get', { domain: 'a.missing.test' }), refused(/No such zone/))
})

void t.test('a CNAME is changed by its name alone', async (t) => {
  await records('update', 'alias', { type: 'CNAME', cname: 'other.test', ttl: '60' })
  t.match(await at('alias'), [{ ttl: 60, rData: { cname: 'other.test' } }])
  await records('delete', 'alias', { type: 'CNAME' })
  t.same(await at('alias'), [])
})

void t.test('the serial rises with every change, and the SOA can be said', async (t) => {
  const before = zone.serial
  await records('add', 'serial', { type: 'TXT', text: 'x' })
  t.equal(zone.serial, before + 1)
  const times = { serial: String(before), refresh: '1', retry: '2', expire: '3', minimum: '4' }
  const servers = { primaryNameServer: 'ns.test', responsiblePerson: 'a@test' }
  const wanted = { domain: 'example.test', type: 'SOA', ttl: '900', ...times, ...servers }
  t.equal((await call('zones/records/update', wanted)).status, 'ok')
  t.ok(zone.serial > before + 1)
})

void t.test('a signed zone lists what signing added', async (t) => {
  t.match(await call('zones/dnssec/viewDS', { zone: 'example.test' }), refused(/signed/))
  t.equal((await call('zones/dnssec/sign', { zone: 'example.test', algorithm: 'ECDSA' })).status, 'ok')
  t.match((await call('zones/dnssec/viewDS', { zone: 'example.test' })).response, {
    dsRecords: [{ algorithm: 'ECDSAP256SHA256', digests: [{ digestType: 'SHA256' }] }],
  })
  const all = await call('zones/records/get', { domain: 'example.test', listZone: 'true' })
  const types = new Set((all.response?.records ?? []).map(({ type }) => type))
  for (const type of ['SOA', 'NS', 'RRSIG', 'NSEC', 'DNSKEY']) t.ok(types.has(type), type)
  t.equal((await call('zones/dnssec/unsign', { zone: 'example.test' })).status, 'ok')
})
