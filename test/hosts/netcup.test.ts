import t from 'tap'
import netcup from '../../modules/providers/adapters/netcup/index.ts'
import type { ChangeOutcome } from '../../modules/providers/contract.ts'
import {
  add,
  edit,
  expectError,
  open,
  OTHER_TTL,
  remove,
  rrset,
  start,
  TTL,
  zonesOf,
} from '../conformance/suite/peer.ts'
import { conformance } from '../conformance/suite/index.ts'
import { startFakeNetcup } from '../conformance/simulators/netcup.ts'
import { netcupPeer } from '../conformance/peers/netcup-peer.ts'

const actionsOf = (requests: { body: string }[]) =>
  requests.map(({ body }) => (JSON.parse(body) as { action: string }).action)

void t.test('fake netcup', async (t) => {
  const fake = await startFakeNetcup()
  t.teardown(() => fake.close())
  const makePeer = () => netcupPeer(netcup, fake)
  await conformance(t, 'all that every adapter must do', makePeer)

  await t.test('a session that has ended is begun anew, once', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    fake.endSessions()
    const before = fake.requests.length
    await apply([edit('www', 'A', [add('192.0.2.1')])])
    t.same(await peer.dump(), [rrset('www', 'A', ['192.0.2.1'])])
    t.equal(actionsOf(fake.requests.slice(before)).filter((one) => one === 'login').length, 1)
  })

  await t.test('the TTL is that of the zone', async (t) => {
    const { peer, adapter, zone } = await start(t, makePeer)
    await peer.seed([rrset('www', 'A', ['192.0.2.1'])])
    t.equal(zone.ttl, TTL)
    const other = edit('www', 'A', [add('192.0.2.2')], OTHER_TTL)
    const error = await expectError(t, peer, adapter.apply(zone, [other]), 'rejected')
    t.match(error?.message, /3600/)
    await expectError(t, peer, adapter.apply(zone, [edit('www', 'A', [], OTHER_TTL)]), 'rejected')
    const going = edit('www', 'A', [remove('192.0.2.1')], OTHER_TTL)
    const outcomes = (await adapter.apply(zone, [
      edit('api', 'A', [add('192.0.2.3')]),
      going,
    ])) as ChangeOutcome[][]
    t.match(outcomes, [[{ ok: true, providerId: /^\d+$/ }], [{ ok: true }]])
    const [refused] = (await adapter.apply(zone, [
      other,
      edit('b', 'A', [add('192.0.2.4')]),
    ])) as ChangeOutcome[][]
    t.match(refused, [{ ok: false, error: { kind: 'rejected' } }])
    t.same(await peer.dump(), [rrset('api', 'A', ['192.0.2.3']), rrset('b', 'A', ['192.0.2.4'])])
  })
})

void t.test('who is no reseller names the domains', async (t) => {
  const fake = await startFakeNetcup({ reseller: false })
  t.teardown(() => fake.close())
  const peer = await netcupPeer(netcup, fake)
  const error = await expectError(t, peer, zonesOf(await open(t, peer)), 'forbidden')
  t.match(error?.message, /name yours/)
  const domains = `${peer.zoneName.toUpperCase()}, missing.test`
  const adapter = await open(t, peer, { ...peer.credentials, domains })
  t.same(await zonesOf(adapter), [{ id: peer.zoneName, name: peer.zoneName, ttl: TTL }])
})
