import t from 'tap'
import bunny from '../../modules/providers/adapters/bunny/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import { add, edit, remove, replace, rrset, start } from '../conformance/suite/subject.ts'
import dialect from '../conformance/simulators/bunny.ts'
import { send } from '../conformance/simulators/simulator.ts'
import { simulate } from '../conformance/simulators/simulated-subject.ts'

void t.test('bunny.net', async (t) => {
  const { sim, makeSubject } = await simulate(t, bunny, dialect)
  await conformance(t, 'conformance', makeSubject)

  const sent = (method: string) =>
    sim.requests
      .filter((request) => request.method === method)
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)

  await t.test('a change says all that the record has, as it was', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.extra?.()
    sim.requests.length = 0
    await apply([edit('extra', 'A', [replace('192.0.2.2', '192.0.2.3')])])
    t.match(sent('POST'), [
      { Type: 0, Name: 'extra', Value: '192.0.2.3', Weight: 30, MonitorType: 1, AutoSslIssuance: false },
    ])
  })

  await t.test('how bunny.net chooses the answer is shown, and made again with the record', async (t) => {
    const { subject, adapter, zone, apply } = await start(t, makeSubject)
    await subject.extra?.()
    const extra = { SmartRoutingType: 2, GeolocationLatitude: 48.1, GeolocationLongitude: 11.5 }
    const held = await adapter.readRRset(zone, 'extra', 'A')
    t.match(held?.members, [{ extra }, { extra: { Weight: 30, MonitorType: 1 } }])
    await apply([edit('extra', 'A', [remove('192.0.2.1')])])
    sim.requests.length = 0
    await apply([edit('extra', 'A', [{ action: 'add', member: { value: '192.0.2.1', extra } }])])
    t.match(sent('PUT'), [extra])
  })

  await t.test('zones are found by their whole name', async (t) => {
    const { adapter, zone } = await start(t, makeSubject)
    sim.createZone(`not-${zone.name}`)
    t.match(await adapter.findZones(zone.name), [{ id: zone.id, status: 'active' }])
    t.equal((await adapter.findZones(zone.name)).length, 1)
    sim.deleteZone(`not-${zone.name}`)
  })

  await t.test('what was taken away meanwhile is gone for who takes it away', async (t) => {
    const { subject, apply } = await start(t, makeSubject)
    await subject.seed([rrset('www', 'A', ['192.0.2.1'])])
    const body = JSON.stringify({ ErrorKey: 'dnszone.record.not_found', Field: 'RecordId', Message: 'gone' })
    sim.fail({ kind: 'answer', answer: { status: 404, body }, on: 'write' })
    await t.resolves(apply([edit('www', 'A', [remove('192.0.2.1')])]))
  })

  await t.test('of CAA three tags are taken', (t) => {
    const audit = (value: string) => bunny.audit?.('example.com', [edit('@', 'CAA', [add(value)])])
    t.match(audit('0 issuemail "ca.example.net"'), [{ field: 'value', code: 'caa_tag' }])
    t.same(audit('0 issuewild "ca.example.net"'), [])
    t.end()
  })

  await t.test('what bunny.net refuses and takes', async (t) => {
    const path = `/dnszone/${sim.createZone('example.test').id}/records`
    const put = (body: object) => send(sim, 'PUT', path, body)
    const good = { Type: 0, Name: 'x', Value: '192.0.2.1' }
    for (const right of [
      { type: 2, name: 'alias', value: 'a.test' },
      { Type: 4, Name: '', Value: 'mx.test.', Priority: 10 },
      { Type: 2, Name: '', Value: 'a.test' },
      { Type: 4, Name: 'no-mail', Value: '.' },
      { Type: 8, Name: '_sip._tcp', Value: '.', Port: 5060 },
      { Type: 9, Name: 'x', Value: 'ca.test', Tag: 'issue' },
      { Type: 14, Name: 'x', Priority: 1, Value: '. alpn=h2' },
      { Type: 15, Name: 'x', Value: '3 1 1 aa' + 'bb'.repeat(31) },
    ])
      t.equal((await put(right)).status, 201, JSON.stringify(right))
    t.match((await put({ Type: 7, Name: 'pull', PullZoneId: 7 })).body, { LinkName: '7', Value: '' })
    for (const [wrong, field] of [
      [{ ...good, Name: 'alias' }, 'Name'],
      [{ ...good, Name: '' }, 'Name'],
      [{ ...good, Name: '@' }, 'Name'],
      [{ ...good, Type: 12, Name: '', Value: 'ns.test' }, 'Name'],
      [{ ...good, Type: 16 }, 'Type'],
      [{ ...good, Ttl: 14 }, 'Ttl'],
      [{ ...good, Value: '2001:db8::1' }, 'Value'],
      [{ ...good, Type: 3, Value: '' }, 'Value'],
      [{ ...good, Type: 9, Value: 'ca.test', Tag: 'other' }, 'Value'],
      [{ ...good, Priority: 65_536 }, 'Priority'],
    ] as const) {
      const ErrorKey = `dnszone.record.invalid_${field.toLowerCase()}`
      t.match(await put(wrong), { status: 400, body: { ErrorKey, Field: field } }, JSON.stringify(wrong))
    }
    t.equal((await send(sim, 'GET', '/dnszone?perPage=4')).status, 400)
  })
})
