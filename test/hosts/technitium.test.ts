import t from 'tap'
import technitium from '../../modules/providers/adapters/technitium/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  edit,
  expectError,
  open,
  OTHER_TTL,
  replace,
  rrset,
  start,
  TTL,
  zonesOf,
} from '../conformance/suite/subject.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'
import { send, startSimulator } from '../conformance/simulators/simulator.ts'
import { failed } from '../conformance/simulators/technitium-data.ts'
import dialect from '../conformance/simulators/technitium.ts'

void t.test('Technitium DNS Server', async (t) => {
  const { sim, makeSubject } = await simulate(t, technitium, dialect)
  // The server's own, which are listed and can't be managed.
  for (const name of ['localhost', '127.in-addr.arpa']) sim.createZone(name, { internal: true })
  await conformance(t, 'conformance', makeSubject)

  await t.test('the token is never part of a URL', async (t) => {
    const { apply } = await start(t, makeSubject)
    await apply([edit('www', 'A', [add('192.0.2.1')])])
    t.ok(sim.requests.every(({ query }) => query.size === 0))
  })

  await t.test('zones of the server itself and zones without editable records are not listed', async (t) => {
    const { subject, adapter } = await start(t, makeSubject)
    sim.createZone('forwarder.test', { type: 'Forwarder' })
    sim.createZone('secondary.test', { type: 'Secondary' })
    const zones = await zonesOf(adapter)
    for (const name of ['localhost', 'forwarder.test']) t.notOk(zones.some((zone) => zone.name === name))
    t.match(await adapter.findZones('secondary.test'), [{ kind: 'secondary' }])
    const reader = await open(t, subject, { ...subject.credentials, apiToken: sim.readToken })
    await t.resolves(reader.verify())
  })

  await t.test('a read-only token is forbidden to write', async (t) => {
    const { subject, zone } = await start(t, makeSubject)
    const reader = await open(t, subject, { ...subject.credentials, apiToken: sim.readToken })
    const call = reader.apply(zone, [edit('www', 'A', [add('192.0.2.1')])])
    await expectError(t, subject, call, 'forbidden')
  })

  await t.test('the URL works with and without the path of the API', async (t) => {
    const { subject } = await start(t, makeSubject)
    const apiUrl = sim.apiUrl.replace(/\/api$/, '/')
    const adapter = await open(t, subject, { ...subject.credentials, apiUrl })
    await t.resolves(adapter.verify())
  })

  await t.test('records added by signing are not listed', async (t) => {
    const { adapter, zone, list } = await start(t, makeSubject)
    const before = await list()
    await adapter.writeDnssec?.(zone, true)
    t.same(await list(), before)
  })

  await t.test('a CNAME changes in one call', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([rrset('alias', 'CNAME', ['one.example.net'])])
    const writes = subject.writes?.() ?? 0
    await apply([edit('alias', 'CNAME', [replace('one.example.net', 'two.example.net')])])
    t.equal(subject.writes?.(), writes + 1)
    t.same(await subject.dump(), [rrset('alias', 'CNAME', ['two.example.net'])])
  })

  await t.test('a record that others deleted is added again if a change names it', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', ['192.0.2.1'])])
    const { answer } = failed('Cannot update record: the old record does not exists.')
    const gone = () => sim.fail({ kind: 'answer', answer, on: 'write', times: 1 })
    gone()
    await apply([edit('www', 'A', [replace('192.0.2.1', '192.0.2.2')])])
    t.match(await subject.dump(), [{ members: [{ value: '192.0.2.1' }, { value: '192.0.2.2' }] }])
    gone()
    await apply([edit('www', 'A', [], OTHER_TTL)])
    t.match(await subject.dump(), [{ ttl: OTHER_TTL, members: { length: 2 } }])
  })

  await t.test('automatic hints and strings split by line are kept', async (t) => {
    const { adapter, zone, apply } = await start(t, makeSubject)
    const held = sim.createZone(zone.name)
    const name = `x.${zone.name}`
    const binding = { svcPriority: 1, svcTargetName: '', svcParams: { alpn: 'h2,h3' } }
    held.hold({ name, type: 'HTTPS', ttl: TTL, rData: { ...binding, autoIpv4Hint: true } })
    held.hold({ name, type: 'TXT', ttl: TTL, rData: { text: 'one\ntwo', splitText: true } })
    const extra = { autoIpv4Hint: true }
    const members = [{ value: '1 . alpn=h2,h3', extra }]
    t.match(await adapter.readRRset(zone, 'x', 'HTTPS'), { members })
    t.match(await adapter.readRRset(zone, 'x', 'TXT'), { members: [{ value: '"one" "two"' }] })
    for (const type of ['HTTPS', 'TXT'] as const) await apply([edit('x', type, [], OTHER_TTL)])
    const [https, txt] = sim.requests
      .filter(sim.changes)
      .slice(-2)
      .map(({ body }) => new URLSearchParams(body))
    t.match(https?.get('autoIpv4Hint'), 'true')
    t.same([txt?.get('text'), txt?.get('splitText')], ['one\ntwo', 'true'])
  })

  await t.test('values that Technitium cannot express are refused by the audit', (t) => {
    const audit = (type: 'DS' | 'HTTPS', value: string) =>
      technitium.audit?.('example.com', [edit('x', type, [add(value)])])
    t.match(audit('DS', `1 253 2 ${'00'.repeat(32)}`), [{ field: 'value', code: 'unknown_number' }])
    t.same(audit('DS', `1 13 2 ${'00'.repeat(32)}`), [])
    t.match(audit('HTTPS', '1 . key65400=a'), [{ code: 'service_parameter' }])
    t.match(audit('HTTPS', '1 . alpn=h2 no-default-alpn'), [{ code: 'service_parameter' }])
    t.same(audit('HTTPS', '1 . alpn=h2,h3 port=8443'), [])
    t.end()
  })
})

void t.test('the simulator of Technitium DNS Server', async (t) => {
  const sim = await startSimulator(dialect)
  t.teardown(() => sim.close())
  const zone = sim.createZone('example.test')
  type Parameters = Record<string, string>

  const call = async (path: string, parameters: Parameters = {}, token = sim.token) => {
    const form = new URLSearchParams(parameters).toString()
    const answer = await send(sim, 'POST', `/${path}`, form, { authorization: `Bearer ${token}` })
    t.equal(answer.status, 200, 'whatever went wrong')
    return answer.body as { status: string; response?: { records?: { name: string; type: string }[] } }
  }
  const records = (action: string, name: string, more: Parameters) =>
    call(`zones/records/${action}`, { domain: `${name}.example.test`, zone: 'example.test', ...more })
  const at = async (name: string) => (await records('get', name, {})).response?.records ?? []
  const refused = (errorMessage: RegExp) => ({ status: 'error', errorMessage, stackTrace: /DnsServerCore/ })

  await t.test('tokens: in the header, in the form, in the address', async (t) => {
    t.match(await call('zones/list', {}, 'no'), { status: 'invalid-token' })
    t.match(await call('zones/list', { token: sim.token }, ''), { status: 'ok' })
    const answer = await fetch(`${sim.apiUrl}/zones/list?token=${sim.token}`)
    t.match(await answer.json(), { status: 'ok' })
    t.match(await call('user/session/get'), { username: 'user', token: sim.token, status: 'ok' })
    t.match(await call('zones/create', { zone: 'a.test', type: 'Primary' }, sim.readToken), refused(/denied/))
  })

  await t.test('records have no ids: what they say is what they are', async (t) => {
    const one = { type: 'A', ipAddress: '192.0.2.1', ttl: '300', comments: 'kept' }
    const shown = { name: 'www.example.test', type: 'A', ttl: 300, rData: { ipAddress: '192.0.2.1' } }
    t.match(await records('add', 'www', one), { response: { addedRecord: { ...shown, comments: 'kept' } } })
    t.match(await records('add', 'www', one), refused(/record already exists/))
    await records('add', 'www', { type: 'A', ipAddress: '192.0.2.2' })
    t.match(await at('www'), [{ ttl: 3600 }, { ttl: 3600 }], 'a set has the TTL that was said last')
    const renewed = {
      type: 'A',
      ipAddress: '192.0.2.1',
      newIpAddress: '192.0.2.3',
      ttl: '60',
      disable: 'true',
    }
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

  await t.test('what is refused', async (t) => {
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

  await t.test('a CNAME is changed by its name alone', async (t) => {
    await records('update', 'alias', { type: 'CNAME', cname: 'other.test', ttl: '60' })
    t.match(await at('alias'), [{ ttl: 60, rData: { cname: 'other.test' } }])
    await records('delete', 'alias', { type: 'CNAME' })
    t.same(await at('alias'), [])
  })

  await t.test('the serial rises with every change, and the SOA can be said', async (t) => {
    const before = zone.serial
    await records('add', 'serial', { type: 'TXT', text: 'x' })
    t.equal(zone.serial, before + 1)
    const times = { serial: String(before), refresh: '1', retry: '2', expire: '3', minimum: '4' }
    const servers = { primaryNameServer: 'ns.test', responsiblePerson: 'a@test' }
    const wanted = { domain: 'example.test', type: 'SOA', ttl: '900', ...times, ...servers }
    t.equal((await call('zones/records/update', wanted)).status, 'ok')
    t.ok(zone.serial > before + 1)
  })

  await t.test('a signed zone lists what signing added', async (t) => {
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
})
