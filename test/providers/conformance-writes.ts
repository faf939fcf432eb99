import type { Test } from 'tap'
import {
  add,
  applyEdits,
  edit,
  expectError,
  remove,
  replace,
  rrset,
  skip,
  sorted,
  start,
  type Peer,
} from './conformance-peer.ts'

const A = '192.0.2.1'
const B = '192.0.2.2'
const C = '192.0.2.3'
const BATCH = 100

export async function writeTests(t: Test, makePeer: () => Promise<Peer>): Promise<void> {
  await t.test('add keeps siblings', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    await peer.seed([rrset('www', 'A', [A, B])])
    await apply([edit('www', 'A', [add(C)])])
    t.same(await peer.dump(), [rrset('www', 'A', [A, B, C])])
  })

  await t.test('remove keeps siblings; the last one takes the RRset along', async (t) => {
    const { peer, adapter, zone, apply } = await start(t, makePeer)
    await peer.seed([rrset('www', 'A', [A, B]), rrset('www', 'TXT', ['stays'])])
    await apply([edit('www', 'A', [remove(A)])])
    t.same(await peer.dump(), [rrset('www', 'A', [B]), rrset('www', 'TXT', ['stays'])])
    await apply([edit('www', 'A', [remove(B)])])
    t.same(await peer.dump(), [rrset('www', 'TXT', ['stays'])])
    t.equal(await adapter.readRRset(zone, 'www', 'A'), null)
  })

  await t.test('replace, alone and several at once', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    await peer.seed([rrset('www', 'A', [A, B]), rrset('@', 'MX', ['10 mx1.example.net'])])
    await apply([edit('www', 'A', [replace(A, C)])])
    t.same(await peer.dump(), sorted([rrset('www', 'A', [B, C]), rrset('@', 'MX', ['10 mx1.example.net'])]))
    await apply([
      edit('www', 'A', [replace(B, A), remove(C), add('192.0.2.4')]),
      edit('@', 'MX', [replace('10 mx1.example.net', '5 mx1.example.net')]),
    ])
    t.same(
      await peer.dump(),
      sorted([rrset('www', 'A', [A, '192.0.2.4']), rrset('@', 'MX', ['5 mx1.example.net'])]),
    )
  })

  await t.test('replace of what is gone adds; by what is there removes', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    await peer.seed([rrset('www', 'A', [A])])
    if (peer.provider.capabilities.identity === 'record-id')
      return skip(t, 'what is gone has no id by which to replace it')
    await apply([edit('www', 'A', [replace(B, C)])])
    t.same(await peer.dump(), [rrset('www', 'A', [A, C])])
    await apply([edit('www', 'A', [replace(A, C)])])
    t.same(await peer.dump(), [rrset('www', 'A', [C])])
  })

  await t.test('the TTL alone, and of the whole RRset with any change', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    await peer.seed([rrset('www', 'A', [A, B])])
    await apply([edit('www', 'A', [], 900)])
    t.same(await peer.dump(), [rrset('www', 'A', [A, B], 900)])
    await apply([edit('www', 'A', [add(C)], 1200)])
    t.same(await peer.dump(), [rrset('www', 'A', [A, B, C], 1200)])
    await apply([edit('nothing', 'A', [], 900)])
    t.same(await peer.dump(), [rrset('www', 'A', [A, B, C], 1200)], 'of nothing: nothing')
  })

  await t.test('repeats are idempotent', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    for (let i = 0; i < 2; i++) await apply([edit('www', 'A', [add(A)]), edit('www', 'TXT', [add('a "b"')])])
    t.same(await peer.dump(), [rrset('www', 'A', [A]), rrset('www', 'TXT', ['a "b"'])])
    for (let i = 0; i < 2; i++) await apply([edit('www', 'A', [remove(A)])])
    await apply([edit('never', 'A', [remove(A)])])
    t.same(await peer.dump(), [rrset('www', 'TXT', ['a "b"'])])
  })

  await t.test(`a batch of ${BATCH}`, async (t) => {
    const { peer, apply } = await start(t, makePeer)
    const names = Array.from({ length: BATCH }, (_, i) => `host-${i}`)
    await peer.seed([rrset('host-1', 'A', [B]), rrset('host-2', 'A', [A])])
    const writes = peer.writes?.()
    await apply(names.map((name) => edit(name, 'A', [add(A)])))
    const wanted = names.map((name) => rrset(name, 'A', name === 'host-1' ? [A, B] : [A]))
    t.same(await peer.dump(), sorted(wanted))
    const { batch, maxBatch } = peer.provider.capabilities
    if (batch === 'none') skip(t, 'in one call: the provider has no batch')
    else if (writes === undefined) skip(t, "in one call: the peer's calls can't be counted")
    else t.equal(peer.writes?.(), writes + Math.ceil(BATCH / maxBatch), 'in one call')
    await apply(names.map((name) => edit(name, 'A', [remove(A)])))
    t.same(await peer.dump(), [rrset('host-1', 'A', [B])])
  })

  await t.test('one type makes room for another in one call', async (t) => {
    const { peer, apply } = await start(t, makePeer)
    if (peer.provider.capabilities.batch !== 'atomic') return skip(t, 'the provider has no atomic batch')
    await peer.seed([rrset('swap', 'A', [A, B]), rrset('back', 'CNAME', ['x.example.net'])])
    await apply([
      edit('swap', 'CNAME', [add('x.example.net')]),
      edit('swap', 'A', [remove(A), remove(B)]),
      edit('back', 'A', [add(A)]),
      edit('back', 'CNAME', [remove('x.example.net')]),
    ])
    t.same(await peer.dump(), [rrset('back', 'A', [A]), rrset('swap', 'CNAME', ['x.example.net'])])
  })

  await t.test('what the provider refuses', async (t) => {
    const { peer, adapter, zone } = await start(t, makePeer)
    const { batch, maxBatch } = peer.provider.capabilities
    const seeded = [rrset('other', 'A', [A]), rrset('taken', 'A', [A])]
    await peer.seed(seeded)
    const refused = edit('taken', 'CNAME', [add('x.example.net')])
    const fine = [edit('fresh', 'A', [add(A)]), edit('other', 'A', [remove(A)])]
    if (batch === 'atomic') {
      const error = await expectError(t, peer, adapter.apply(zone, [...fine, refused]), [
        'rejected',
        'conflict',
      ])
      t.match(error?.message, /.{20}/, 'with a reason')
      t.same(await peer.dump(), seeded, 'nothing was applied')
      return
    }
    const edits = maxBatch > 1 ? [fine[0] ?? refused, refused] : [refused]
    const outcomes = await applyEdits(adapter, zone, edits)
    t.match(outcomes.at(-1), [{ ok: false, error: { outcome: 'not_applied' } }])
    if (maxBatch === 1) skip(t, 'the others are applied: the provider takes one change at a time')
    else t.match(outcomes[0], [{ ok: true }], 'the others are applied')
  })

  await t.test('edits of different RRsets at the same time', async (t) => {
    const { peer, adapter, zone } = await start(t, makePeer)
    const names = Array.from({ length: 10 }, (_, i) => `host-${i}`)
    await peer.seed(names.map((name) => rrset(name, 'A', [A])))
    const outcomes = await Promise.all(
      names.map((name) => applyEdits(adapter, zone, [edit(name, 'A', [add(B)])])),
    )
    t.ok(outcomes.flat(2).every(({ ok }) => ok))
    t.same(await peer.dump(), sorted(names.map((name) => rrset(name, 'A', [A, B]))))
  })
}
