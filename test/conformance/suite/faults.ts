import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import {
  ProviderError,
  type DnsAdapter,
  type ProviderErrorKind,
  type RRset,
  type RRsetEdit,
} from '../../../modules/providers/contract.ts'
import { ABILITIES } from '../../../scripts/provider-abilities.ts'
import { until } from '../../helpers/until.ts'
import type { Case } from './case.ts'
import { add, edit, expectError, open, rrset, zonesOf, type Subject, type Session } from './subject.ts'
import { RETRY_AFTER, type FaultName, type SubjectFaults } from '../subjects/subject-faults.ts'

/** What a write becomes that met the fault. */
interface Ending {
  kind: ProviderErrorKind
  outcome: 'not_applied' | 'unknown'
}

interface Expected extends Ending {
  /** Whether the write took effect. */
  applied: boolean
  /** How it may end instead: the adapter has looked, and knows better. */
  or?: Ending
  retryAfter?: number
}

const lost = { outcome: 'unknown' } as const
const refused = { outcome: 'not_applied', applied: false } as const

const EXPECTED: Record<Exclude<FaultName, 'half'>, Expected> = {
  silent: { ...lost, kind: 'timeout', applied: false },
  silentAfter: { ...lost, kind: 'timeout', applied: true },
  reset: { ...lost, kind: 'unavailable', applied: false },
  resetAfter: { ...lost, kind: 'unavailable', applied: true },
  cut: { ...lost, kind: 'unavailable', applied: true },
  garbage: { ...lost, kind: 'unavailable', applied: true },
  html: { ...lost, kind: 'unavailable', applied: true },
  html502: { ...lost, kind: 'unavailable', applied: false },
  failure: {
    ...lost,
    kind: 'unavailable',
    applied: false,
    or: { kind: 'locked', outcome: 'not_applied' },
  },
  unauthorized: { ...refused, kind: 'auth' },
  forbidden: { ...refused, kind: 'forbidden' },
  rateLimited: { ...refused, kind: 'rate_limited', retryAfter: RETRY_AFTER },
  rateLimitedBare: { ...refused, kind: 'rate_limited' },
  echo: { ...refused, kind: 'rejected' },
}

/** Of reads that get no answer. */
const BUDGET_MS = 250
/** Of writes, where it can't be seen that they were sent: they read first, for which there must be time as well. */
const WRITE_BUDGET_MS = 2_000
const A = '192.0.2.1'
const B = '192.0.2.2'
const seeded: RRset = rrset('www', 'A', [A])
const adding = edit('www', 'A', [add(B)])
const after: RRset = rrset('www', 'A', [A, B])

const NO_FAULTS = "the subject can't be made to fail"
const without =
  (fault: FaultName) =>
  ({ faults }: Subject) =>
    faults === undefined ? NO_FAULTS : (faults.without?.[fault] ?? null)

/* What goes wrong on the way: its kind, what is known of the write, and that a repeat makes it right. */
export const faultCases: Case[] = [
  ...(Object.entries(EXPECTED) as [Exclude<FaultName, 'half'>, Expected][]).map(([name, expected]): Case => ({
    name: `fault: ${name}`,
    obstacle: without(name),
    run: (t, session) => faultTest(t, session, name, expected),
  })),
  {
    name: 'fault: connection refused',
    obstacle: ({ faults }) => (faults === undefined ? NO_FAULTS : null),
    async run(t, { subject, zone, sent }) {
      const adapter = await open(t, subject, subject.faults?.refused)
      const edits = await sent([adding])
      for (const call of calls(adapter, subject, zone)) await expectError(t, subject, call(), 'unavailable')
      await expectError(t, subject, adapter.apply(zone, edits), 'unavailable')
    },
  },
  {
    name: 'fault: half of a call is done',
    needs: ['batches'],
    obstacle: (subject) =>
      ABILITIES.atomicBatches.has(subject.provider.capabilities)
        ? 'the provider does a call whole or not at all'
        : without('half')(subject),
    async run(t, { subject, zone, sent, apply }) {
      const faults = faultsOf(subject)
      const edits = [edit('first', 'A', [add(A)]), edit('last', 'A', [add(A)])]
      faults.set('half', 'write')
      const answer = await (await open(t, subject, faults.credentials)).apply(zone, await sent(edits))
      faults.clear()
      const [first, last] = Array.isArray(answer) ? answer : answer.outcomes
      t.match([first, last], [[{ ok: true }], [{ ok: false }]])
      t.same(await subject.dump(), [rrset('first', 'A', [A])])
      await apply(edits)
      t.same(
        await subject.dump(),
        [rrset('first', 'A', [A]), rrset('last', 'A', [A])],
        'a repeat makes it right',
      )
    },
  },
]

async function faultTest(
  t: Test,
  { subject, zone, sent }: Session,
  name: FaultName,
  { kind, outcome, applied, or, retryAfter }: Expected,
): Promise<void> {
  const faults = faultsOf(subject)
  await subject.seed([seeded])
  const edits: RRsetEdit[] = await sent([adding])
  const isSilent = name.startsWith('silent')
  const adapter = (budget?: number | AbortSignal) => open(t, subject, faults.credentials, budget)

  faults.set(name, 'read')
  const reads = calls(await adapter(isSilent ? BUDGET_MS : undefined), subject, zone)
  const errors = await Promise.all(reads.map((call) => expectError(t, subject, call(), kind)))
  if (kind === 'rate_limited') t.ok(errors.every((error) => error?.retryAfter === retryAfter))
  faults.clear()

  faults.set(name, 'write')
  const wanted = [applied ? after : seeded]
  const sending = async (budget?: AbortSignal) => orFailure((await adapter(budget)).apply(zone, edits))
  const write = isSilent ? givenUp(subject, wanted, sending) : sending()
  const ending = or !== undefined && (await kindOf(write)) === or.kind ? or : { kind, outcome }
  const error = await expectError(t, subject, write, ending.kind, ending.outcome)
  faults.clear()
  if (kind === 'rate_limited') t.equal(error?.retryAfter, retryAfter, 'Retry-After')
  t.same(await subject.dump(), wanted)

  // The service repeats what may not have been applied: never twice the same value.
  await (await adapter()).apply(zone, edits)
  t.same(await subject.dump(), [after], 'a repeat makes it right')
}

/** Where a batch is not atomic, a refusal may be told of the one change: here there is one. */
async function orFailure(call: ReturnType<DnsAdapter['apply']>): Promise<unknown> {
  const answer = await call
  const [outcome] = (Array.isArray(answer) ? answer : answer.outcomes).flat()
  if (outcome?.ok === false) throw outcome.error
  return answer
}

const kindOf = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof ProviderError ? error.kind : null),
  )

function faultsOf({ faults }: Subject): SubjectFaults {
  if (faults === undefined) throw new Error('A subject that fails once must always')
  return faults
}

/** Each of the reads. */
const calls = (adapter: DnsAdapter, subject: Subject, zone: Parameters<DnsAdapter['apply']>[0]) => [
  () => adapter.verify(),
  () => zonesOf(adapter),
  () => adapter.findZones(subject.zoneName),
  () => adapter.listRRsets(zone)[Symbol.asyncIterator]().next(),
  () => adapter.readRRset(zone, 'www', 'A'),
]

/** For what is over when the subject has got a write, and done what it does of it: it will answer nothing. */
async function givenUp<T>(
  { writes, dump }: Subject,
  wanted: RRset[],
  work: (budget: AbortSignal) => Promise<T>,
): Promise<T> {
  if (writes === undefined) return work(AbortSignal.timeout(WRITE_BUDGET_MS))
  const before = writes()
  const over = new AbortController()
  const call = work(over.signal).finally(() => over.abort())
  const isThere = async () =>
    over.signal.aborted || (writes() !== before && isDeepStrictEqual(await dump(), wanted))
  // What becomes of the call is seen by who waits for it.
  await Promise.race([until('the write is there', isThere), call.catch(() => true)])
  over.abort(new DOMException('The time is over', 'TimeoutError'))
  return await call
}
