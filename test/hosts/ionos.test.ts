import t from 'tap'
import ionos from '../../modules/providers/adapters/ionos/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  add,
  applyEdits,
  edit,
  expectError,
  newZone,
  remove,
  rrset,
  start,
} from '../conformance/suite/peer.ts'
import { invalid } from '../conformance/simulators/ionos-zone.ts'
import { startFakeIonos } from '../conformance/simulators/ionos.ts'
import { ionosPeer } from '../conformance/peers/ionos-peer.ts'

void t.test('fake IONOS', async (t) => {
  const fake = await startFakeIonos()
  t.teardown(() => fake.close())
  const makePeer = () => ionosPeer(ionos, fake)
  await conformance(t, 'all that every adapter must do', makePeer)

  const A = '192.0.2.1'

  await t.test('new records go in one call, and each alone where one of them is refused', async (t) => {
    const { peer, adapter, zone, apply } = await start(t, makePeer)
    fake.requests.length = 0
    await apply(['a', 'b', 'c'].map((name) => edit(name, 'A', [add(A)])))
    t.equal(peer.writes?.(), 1)
    const edits = [edit('d', 'A', [add(A)]), edit('a', 'CNAME', [add('x.example.net')])]
    const outcomes = await applyEdits(adapter, zone, edits)
    t.match(outcomes, [[{ ok: true, providerId: String }], [{ ok: false, error: { kind: 'rejected' } }]])
    t.equal(peer.writes?.(), 4)
    t.equal((await peer.dump()).length, 4)
  })

  await t.test('what somebody else made meanwhile is made', async (t) => {
    const { peer, adapter, zone } = await start(t, makePeer)
    const until = () => peer.seed([rrset('www', 'A', [A])])
    fake.fail({ kind: 'late', until, on: 'read' })
    const outcomes = await applyEdits(adapter, zone, [edit('www', 'A', [add(A)])])
    const set = await adapter.readRRset(zone, 'www', 'A')
    t.match(outcomes, [[{ ok: true, providerId: set?.members[0]?.providerId }]])
    t.equal(set?.members.length, 1)
  })

  await t.test('what somebody else took away meanwhile is gone for who takes it away', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    await peer.seed([rrset('www', 'A', [A])])
    const body = JSON.stringify([{ code: 'RECORD_NOT_FOUND', message: 'Record does not exist.' }])
    fake.fail({ kind: 'answer', answer: { status: 404, body }, on: 'write' })
    await t.resolves(apply([edit('www', 'A', [remove(A)])]))
  })

  await t.test('the secret is not shown without its prefix either', async (t) => {
    const { adapter, zone } = await start(t, makePeer)
    const [, secret = ''] = fake.apiKey.split('.')
    const { answer } = invalid({}, `field of ${secret}`)
    fake.fail({ kind: 'answer', answer, on: 'write' })
    const [[outcome] = []] = await applyEdits(adapter, zone, [edit('www', 'A', [add(A)])])
    const message = outcome?.ok === false ? outcome.error.message : ''
    t.match(message, /Record is invalid/)
    t.notOk(message.includes(secret))
  })

  await t.test('zones come and go with their domains', async (t) => {
    const { peer, adapter, zone } = await start(t, makePeer)
    await expectError(t, peer, adapter.createZone(newZone('new.test')), 'rejected')
    await expectError(t, peer, adapter.deleteZone(zone), 'rejected')
  })

  await t.test('an SRV without a server is refused beforehand', (t) => {
    const audit = (value: string) => ionos.audit?.('example.com', [edit('_sip._tcp', 'SRV', [add(value)])])
    t.match(audit('0 0 0 .'), [{ field: 'value', code: 'srv_target' }])
    t.same(audit('0 1 5060 sip.example.net'), [])
    t.end()
  })
})
