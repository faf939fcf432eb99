import type { Test } from 'tap'
import { faultTests } from './conformance-faults.ts'
import { expectError, newZone, open, skip, start, zonesOf, type Peer } from './conformance-peer.ts'
import { recordTests } from './conformance-records.ts'
import { writeTests } from './conformance-writes.ts'

/**
 * What every adapter must do, whatever provider is behind it. `makePeer` gives each test a zone of its
 * own. Where a peer can't do something (faults, foreign content) those tests are skipped with the reason.
 */
export function conformance(t: Test, name: string, makePeer: () => Promise<Peer>): Promise<unknown> {
  return t.test(name, async (t) => {
    await zoneTests(t, makePeer)
    const peer = await makePeer()
    await peer.close()
    if (peer.provider.capabilities.truth === 'local')
      return skip(t, 'records, writes, faults: the provider keeps no records of its own')
    await recordTests(t, makePeer)
    await writeTests(t, makePeer)
    await faultTests(t, makePeer)
  })
}

async function zoneTests(t: Test, makePeer: () => Promise<Peer>): Promise<void> {
  await t.test('verify', async (t) => {
    const { peer, adapter } = await start(t, makePeer)
    await t.resolves(adapter.verify())
    if (peer.badCredentials === undefined) return skip(t, 'wrong credentials: the provider takes no secret')
    const bad = open(t, peer, peer.badCredentials)
    await expectError(t, peer, bad.verify(), 'auth')
    await expectError(t, peer, zonesOf(bad), 'auth')
    await expectError(t, peer, bad.findZones(peer.zoneName), 'auth')
  })

  await t.test('zones: list, find, missing', async (t) => {
    const {
      peer,
      adapter,
      zone: { id, name },
    } = await start(t, makePeer)
    t.equal(name, peer.zoneName)
    if (peer.provider.capabilities.truth === 'local')
      return skip(t, 'missing zones: the provider keeps none, so that each name is one')
    const zones = await zonesOf(adapter)
    t.match(
      zones.filter((zone) => zone.name === name),
      [{ id, name }],
      'listed once',
    )
    t.same(await adapter.findZones(peer.missingZone.name), [])
    t.same(await adapter.findZones(`sub.${peer.zoneName}`), [], 'a name below is another zone')
    const [, parent = ''] = peer.zoneName.split(/\.(.*)/)
    t.same(await adapter.findZones(parent), [], 'and so is the name above')
  })

  await t.test('zones: create, delete', async (t) => {
    const { peer, adapter } = await start(t, makePeer)
    const { createZone, deleteZone, truth } = peer.provider.capabilities
    if (!createZone || !deleteZone) return skip(t, "the provider can't create and delete zones")
    const name = `created.${peer.zoneName}`
    const zone = await adapter.createZone(newZone(name))
    t.equal(zone.name, name)
    t.same(await adapter.findZones(name), [zone])
    if (truth === 'provider') await expectError(t, peer, adapter.createZone(newZone(name)), 'conflict')
    await t.resolves(adapter.deleteZone(zone))
    if (truth === 'provider') t.same(await adapter.findZones(name), [])
    await t.resolves(adapter.deleteZone(zone), 'deleting a missing zone succeeds')
  })

  await t.test('applying answers an outcome for each change', async (t) => {
    const { adapter, zone } = await start(t, makePeer)
    t.same(await adapter.apply(zone, []), [])
    const member = { value: '192.0.2.1' }
    const outcomes = await adapter.apply(zone, [
      { name: 'a', type: 'A', ttl: 300, changes: [{ action: 'add', member }] },
      { name: 'b', type: 'A', ttl: 300, changes: [] },
      {
        name: 'c',
        type: 'A',
        ttl: 300,
        changes: [
          { action: 'remove', member },
          { action: 'add', member },
        ],
      },
    ])
    t.match(outcomes, [[{ ok: true }], [], [{ ok: true }, { ok: true }]])
  })
}
