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
import { failed, startTechnitiumSimulator } from '../conformance/simulators/technitium.ts'
import { technitiumSubject } from '../conformance/subjects/technitium-subject.ts'

void t.test('Technitium DNS Server', async (t) => {
  const sim = await startTechnitiumSimulator()
  t.teardown(() => sim.close())
  const makeSubject = () => technitiumSubject(technitium, sim)
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
    const answer = failed('Cannot update record: the old record does not exists.')
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
