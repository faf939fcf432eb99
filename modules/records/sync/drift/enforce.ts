import { AppError, conflict } from '../../../../plugins/http/errors.ts'
import { SERVICE, type Caller } from '../../../../plugins/security/access/index.ts'
import type { DriftReason } from '../../../../schemas/records/drift.ts'
import type { DomainRow } from '../../../domains/access/access.ts'
import { applyChanges } from '../../apply/apply.ts'
import type { Applied } from '../../apply/outcomes.ts'
import { lockDomain } from '../../apply/journal/journal-queries.ts'
import type { RecordContext } from '../../context.ts'
import { namesTouchedSince, type ChangePosition } from '../../list/queries.ts'
import type { RecordContent, Step } from '../../plan/change.ts'
import { memberKey } from '../../../../dns/names/rrset.ts'
import { isMuch } from '../guard.ts'
import { nameCounts, type Differences } from '../sync-differences.ts'
import { announceDifferences, announcePutBack } from './announce.ts'
import { atNames, countsOf, namesOf, recordsIn, sizeOf } from './outside.ts'
import { putBackIntent } from './put-back.ts'
import { clearDrift, driftOf, putBackOften, storeDrift, takeTurn, type PutBack } from './queries.ts'

/** Differences that a sync found and left. */
export interface FoundOutside {
  outside: Differences
  /** The position at which the provider was read. */
  since: ChangePosition
  /** Records here. */
  known: number
}

/** Puts back what was changed at the provider, as far as the policy `enforce` allows, and stores and announces the rest. */
export async function enforce(context: RecordContext, domain: DomainRow, found: FoundOutside): Promise<void> {
  const { outside, known } = found
  if (isMuch(recordsIn(outside), known)) return leave(context, domain, outside, 'many_changes')
  const often = await putBackOften(context.db, domain.id, namesOf(outside))
  const { again, open } = withoutReturned(outside, often)
  // Changes of these names that are still pending may explain the difference.
  const touched = await namesTouchedSince(context.db, domain.id, found.since)
  const free = atNames(open, (name) => !touched.has(name))
  const rest = sizeOf(again) > 0 ? 'comes_back' : null
  if (sizeOf(free) === 0) return leave(context, domain, outside, rest)
  const result = await attempt(context, domain, { ...found, outside: free })
  return leave(context, domain, result === null ? again : outside, result ?? rest)
}

async function attempt(
  context: RecordContext,
  domain: DomainRow,
  found: FoundOutside,
): Promise<DriftReason | null> {
  const caller: Caller = { ...SERVICE, origin: 'enforce' }
  const intent = putBackIntent(domain.id, found, async (trx, change) => {
    if (!(await takeTurn(trx, domain.id))) throw new TooSoon()
    await announcePutBack(trx, domain, { ...change, actorId: null, counts: countsOfSteps(change.steps) })
  })
  try {
    const applied = await applyChanges(context, caller, domain.id, intent, { maxWaitMs: 0 })
    context.metrics.drift.inc({ result: isDone(applied) ? 'enforced' : 'not_taken' })
    return isDone(applied) ? null : 'not_taken'
  } catch (error) {
    if (error instanceof TooSoon) return 'too_soon'
    if (!(error instanceof AppError)) throw error
    return 'not_taken'
  }
}

class TooSoon extends Error {}

/** Puts back what was changed at the provider at the request of a user. Returns what was applied. */
export async function putBack(
  context: RecordContext,
  caller: Caller,
  domain: DomainRow,
  found: FoundOutside,
): Promise<Applied> {
  const intent = putBackIntent(domain.id, found, (trx, change) =>
    announcePutBack(trx, domain, {
      ...change,
      actorId: caller.userId,
      counts: countsOfSteps(change.steps),
    }),
  )
  const applied = await applyChanges(context, caller, domain.id, intent)
  await leave(context, domain, found.outside, isDone(applied) ? null : 'not_taken')
  const [refusal] = applied.plan.refusals
  if (refusal && applied.changeId === null)
    throw conflict(`The records of ${domain.name} can't be put back: ${refusal.detail}`, {
      reason: refusal.code,
      params: refusal.params,
    })
  return applied
}

const isDone = ({ plan, outcomes, failure }: Applied) =>
  failure === null &&
  plan.refusals.length === 0 &&
  outcomes.every(({ outcome }) => outcome === 'applied') &&
  plan.warnings.every(({ code }) => code !== 'last_apex_ns_kept')

/** Stores what is left, and announces it unless that was done before. */
async function leave(
  context: RecordContext,
  domain: DomainRow,
  left: Differences,
  reason: DriftReason | null,
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockDomain(trx, domain.id)
    if (reason === null) return void (await clearDrift(trx, domain.id))
    const now = { ...countsOf(left), reason }
    const known = (await driftOf(trx, domain.id))?.drift ?? null
    await storeDrift(trx, domain.id, now)
    const isTold = known !== null && sameDrift(known, now)
    if (isTold || reason === 'too_soon') return
    context.metrics.drift.inc({ result: reason })
    await announceDifferences(trx, domain, left, { applied: false, reason })
  })
}

/** Whether two states of a domain are reported alike. */
export const sameDrift = (
  a: { created: number; updated: number; deleted: number; reason: DriftReason },
  b: typeof a,
) => a.created === b.created && a.updated === b.updated && a.deleted === b.deleted && a.reason === b.reason

/** Separates differences that come back although they were put back. */
function withoutReturned({ created, updated, deleted, unchanged }: Differences, often: readonly PutBack[]) {
  const keys = new Set(often.map(({ recordId, held }) => keyOf(recordId, held)))
  const isBack = (recordId: string | null, held: RecordContent | null) => keys.has(keyOf(recordId, held))
  const parts = (wanted: boolean): Differences => ({
    created: created.filter(({ content }) => isBack(null, content) === wanted),
    updated: updated.filter(({ id, found }) => isBack(id, found.content) === wanted),
    deleted: deleted.filter(({ id }) => isBack(id, null) === wanted),
    unchanged,
  })
  return { again: parts(true), open: parts(false) }
}

const keyOf = (recordId: string | null, held: RecordContent | null) =>
  JSON.stringify([
    recordId,
    ...(held ? [memberKey(held), held.ttl, held.proxied, held.enabled, held.comment] : []),
  ])

/** Counts what was changed at the provider, which the steps put back. */
const countsOfSteps = (steps: readonly Step[]) =>
  nameCounts((add) => {
    for (const { before, after } of steps) {
      if (before === null && after) add(after.name, 3)
      else if (before && after === null) add(before.name, 1)
      else if (before && after) add(after.name, 2)
    }
  })
