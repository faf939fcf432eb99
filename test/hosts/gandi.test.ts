import t from 'tap'
import gandi from '../../modules/providers/adapters/gandi/index.ts'
import { conformance } from '../conformance/suite/index.ts'
import {
  edit,
  expectError,
  newZone,
  OTHER_TTL,
  replace,
  rrset,
  start,
  add,
} from '../conformance/suite/peer.ts'
import { startFakeGandi } from '../conformance/simulators/gandi.ts'
import { gandiPeer } from '../conformance/peers/gandi-peer.ts'

void t.test('fake Gandi', async (t) => {
  const fake = await startFakeGandi()
  t.teardown(() => fake.close())
  const makePeer = () => gandiPeer(gandi, fake)
  await conformance(t, 'all that every adapter must do', makePeer)

  await t.test('zones are made for domains that are registered there', async (t) => {
    const { peer, adapter } = await start(t, makePeer)
    const name = `made.${peer.zoneName}`
    await expectError(t, peer, adapter.createZone(newZone(name)), 'not_found')
    fake.registered.add(name)
    t.match(await adapter.createZone(newZone(name)), { name })
    t.match(await adapter.findZones(name), [{ name }])
    await expectError(t, peer, adapter.createZone(newZone(name)), 'conflict')
  })

  await t.test(
    'names without final dot are relative to the domain, and stay as they are spelled',
    async (t) => {
      const { peer, list, apply } = await start(t, makePeer)
      const { zoneName } = peer
      fake.createDomain(zoneName).put('mail', 'MX', { rrset_ttl: 3600, rrset_values: ['10 one', '20 two'] })
      const values = [`10 one.${zoneName}`, `20 two.${zoneName}`]
      t.same((await list()).rrsets, [rrset('mail', 'MX', values)])
      await apply([edit('mail', 'MX', [replace(values[0] ?? '', '5 other.example.net')], OTHER_TTL)])
      const held = fake.requests.findLast(({ method }) => method === 'PUT')?.body ?? ''
      t.same(JSON.parse(held), { rrset_ttl: OTHER_TTL, rrset_values: ['20 two', '5 other.example.net.'] })
    },
  )

  await t.test('an ALIAS is at the apex', (t) => {
    const edits = (name: string) => [edit(name, 'ALIAS', [add('target.example.net')])]
    t.match(gandi.audit?.('example.com', edits('www')), [{ field: 'name', code: 'alias_apex' }])
    t.same(gandi.audit?.('example.com', edits('@')), [])
    t.end()
  })
})
