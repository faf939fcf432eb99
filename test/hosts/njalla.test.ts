import t from 'tap'
import njalla from '../../modules/providers/adapters/njalla/index.ts'
import { add, edit, expectError, open, rrset, start } from '../conformance/suite/peer.ts'
import { conformance } from '../conformance/suite/index.ts'
import { startFakeNjalla } from '../conformance/simulators/njalla.ts'
import { njallaPeer } from '../conformance/peers/njalla-peer.ts'

void t.test('fake Njalla', async (t) => {
  const fake = await startFakeNjalla()
  t.teardown(() => fake.close())
  const makePeer = () => njallaPeer(njalla, fake)
  await conformance(t, 'all that every adapter must do', makePeer)

  await t.test('a token that may only look is told apart', async (t) => {
    const { peer, zone } = await start(t, makePeer)
    const reader = await open(t, peer, { ...peer.credentials, apiToken: fake.readToken })
    await reader.verify()
    const call = reader.apply(zone, [edit('www', 'A', [add('192.0.2.1')])])
    await expectError(t, peer, call, 'forbidden')
  })

  await t.test('what stands there twice is one record, and is changed as one', async (t) => {
    const { peer, list, apply } = await start(t, makePeer)
    const domain = fake.createDomain(peer.zoneName)
    for (const _ of [1, 2]) domain.add({ name: 'www', type: 'AAAA', content: '2001:db8::1', ttl: 3600 })
    t.same((await list()).rrsets, [rrset('www', 'AAAA', ['2001:db8::1'])])
    await apply([edit('www', 'AAAA', [add('2001:db8::2')], 300)])
    t.same(
      domain.records.map(({ ttl }) => ttl),
      [300, 300, 300],
    )
  })

  await t.test('priorities of MX', (t) => {
    const refusal = (type: 'MX' | 'SRV', value: string) =>
      njalla.audit?.('example.com', [edit('_sip._tcp', type, [add(value)])])?.[0]?.code
    t.equal(refusal('MX', '15 mx.example.net'), 'mx_priority')
    t.equal(refusal('MX', '50 mx.example.net'), undefined)
    t.equal(refusal('SRV', '15 0 0 .'), 'srv_target')
    t.end()
  })
})
