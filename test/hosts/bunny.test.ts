import t from 'tap'
import bunny from '../../modules/providers/adapters/bunny/index.ts'
import { bunnyPeer } from '../conformance/peers/bunny-peer.ts'
import { conformance } from '../conformance/suite/index.ts'
import { add, edit, remove, replace, rrset, start } from '../conformance/suite/peer.ts'
import { startFakeBunny } from '../conformance/simulators/bunny.ts'

void t.test('fake bunny.net', async (t) => {
  const fake = await startFakeBunny()
  t.teardown(() => fake.close())
  const makePeer = () => bunnyPeer(bunny, fake)
  await conformance(t, 'all that every adapter must do', makePeer)

  const sent = (method: string) =>
    fake.requests
      .filter((request) => request.method === method)
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)

  await t.test('a change says all that the record has, as it was', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    await peer.extra?.()
    fake.requests.length = 0
    await apply([edit('extra', 'A', [replace('192.0.2.2', '192.0.2.3')])])
    t.match(sent('POST'), [
      { Type: 0, Name: 'extra', Value: '192.0.2.3', Weight: 30, MonitorType: 1, AutoSslIssuance: false },
    ])
  })

  await t.test('how bunny.net chooses the answer is shown, and made again with the record', async (t) => {
    const { peer, adapter, zone, apply } = await start(t, makePeer)
    await peer.extra?.()
    const extra = { SmartRoutingType: 2, GeolocationLatitude: 48.1, GeolocationLongitude: 11.5 }
    const held = await adapter.readRRset(zone, 'extra', 'A')
    t.match(held?.members, [{ extra }, { extra: { Weight: 30, MonitorType: 1 } }])
    await apply([edit('extra', 'A', [remove('192.0.2.1')])])
    fake.requests.length = 0
    await apply([edit('extra', 'A', [{ action: 'add', member: { value: '192.0.2.1', extra } }])])
    t.match(sent('PUT'), [extra])
  })

  await t.test('zones are found by their whole name', async (t) => {
    const { adapter, zone } = await start(t, makePeer)
    fake.createZone(`not-${zone.name}`)
    t.match(await adapter.findZones(zone.name), [{ id: zone.id, status: 'active' }])
    t.equal((await adapter.findZones(zone.name)).length, 1)
    fake.deleteZone(`not-${zone.name}`)
  })

  await t.test('what was taken away meanwhile is gone for who takes it away', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    await peer.seed([rrset('www', 'A', ['192.0.2.1'])])
    const body = JSON.stringify({ ErrorKey: 'dnszone.record.not_found', Field: 'RecordId', Message: 'gone' })
    fake.fail({ kind: 'answer', answer: { status: 404, body }, on: 'write' })
    await t.resolves(apply([edit('www', 'A', [remove('192.0.2.1')])]))
  })

  await t.test('of CAA three tags are taken', (t) => {
    const audit = (value: string) => bunny.audit?.('example.com', [edit('@', 'CAA', [add(value)])])
    t.match(audit('0 issuemail "ca.example.net"'), [{ field: 'value', code: 'caa_tag' }])
    t.same(audit('0 issuewild "ca.example.net"'), [])
    t.end()
  })
})
