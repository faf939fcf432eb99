import type { Test } from 'tap'
import type { ProviderErrorKind, RRset } from '../../modules/providers/contract.ts'
import {
  RETRY_AFTER,
  add,
  edit,
  expectError,
  open,
  rrset,
  skip,
  start,
  zonesOf,
  type FaultName,
  type Peer,
} from './conformance-peer.ts'

interface Expected {
  kind: ProviderErrorKind
  /** Of a write that met it. */
  outcome: 'not_applied' | 'unknown'
  /** Whether that write took effect. */
  applied: boolean
}

const EXPECTED: Record<FaultName, Expected> = {
  silent: { kind: 'timeout', outcome: 'unknown', applied: false },
  silentAfter: { kind: 'timeout', outcome: 'unknown', applied: true },
  cut: { kind: 'unavailable', outcome: 'unknown', applied: true },
  garbage: { kind: 'unavailable', outcome: 'unknown', applied: true },
  html502: { kind: 'unavailable', outcome: 'unknown', applied: false },
  unauthorized: { kind: 'auth', outcome: 'not_applied', applied: false },
  rateLimited: { kind: 'rate_limited', outcome: 'not_applied', applied: false },
  echo: { kind: 'rejected', outcome: 'not_applied', applied: false },
}

/** Of calls that get no answer. A write reads first, for which there must be time on a busy machine too. */
const BUDGET_MS = { read: 250, write: 2_000 }
const seeded: RRset = rrset('www', 'A', ['192.0.2.1'])
const edits = [edit('www', 'A', [add('192.0.2.2')])]
const after: RRset = rrset('www', 'A', ['192.0.2.1', '192.0.2.2'])

export async function faultTests(t: Test, makePeer: () => Promise<Peer>): Promise<void> {
  const probe = await makePeer()
  await probe.close()
  if (probe.faults === undefined) return skip(t, "faults: the peer can't be made to fail")

  for (const [name, expected] of Object.entries(EXPECTED) as [FaultName, Expected][]) {
    await t.test(`fault: ${name}`, async (t) => faultTest(t, makePeer, name, expected))
  }

  await t.test('fault: connection refused', async (t) => {
    const { peer, zone } = await start(t, makePeer)
    const adapter = open(t, peer, peer.faults?.refused)
    for (const call of calls(adapter, peer, zone)) await expectError(t, peer, call(), 'unavailable')
    await expectError(t, peer, adapter.apply(zone, edits), 'unavailable')
  })
}

async function faultTest(
  t: Test,
  makePeer: () => Promise<Peer>,
  name: FaultName,
  expected: Expected,
): Promise<void> {
  const { peer, zone } = await start(t, makePeer)
  const { faults } = peer
  if (faults === undefined) throw new Error('A peer that fails once must always')
  await peer.seed([seeded])
  const adapter = (on: 'read' | 'write') =>
    open(t, peer, faults.credentials, name.startsWith('silent') ? BUDGET_MS[on] : undefined)

  faults.set(name, 'read')
  const reads = calls(adapter('read'), peer, zone)
  const errors = await Promise.all(reads.map((call) => expectError(t, peer, call(), expected.kind)))
  if (name === 'rateLimited')
    t.ok(
      errors.every((error) => error?.retryAfter === RETRY_AFTER),
      'Retry-After',
    )
  faults.clear()

  faults.set(name, 'write')
  const write = adapter('write').apply(zone, edits)
  const error = await expectError(t, peer, write, expected.kind, expected.outcome)
  if (name === 'rateLimited') t.equal(error?.retryAfter, RETRY_AFTER, 'Retry-After')
  faults.clear()
  t.same(await peer.dump(), [expected.applied ? after : seeded])

  // The service repeats what may not have been applied: never twice the same value.
  await adapter('write').apply(zone, edits)
  t.same(await peer.dump(), [after], 'a repeat makes it right')
}

/** Each of the reads. */
const calls = (adapter: ReturnType<typeof open>, peer: Peer, zone: Parameters<typeof adapter.apply>[0]) => [
  () => adapter.verify(),
  () => zonesOf(adapter),
  () => adapter.findZones(peer.zoneName),
  () => adapter.listRRsets(zone)[Symbol.asyncIterator]().next(),
  () => adapter.readRRset(zone, 'www', 'A'),
]
