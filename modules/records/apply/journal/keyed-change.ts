import type { Caller } from '../../../../plugins/security/access/index.ts'
import { conflict } from '../../../../plugins/http/errors.ts'
import { firstUnderWay } from '../../../../plugins/http/idempotency/errors.ts'
import type { Executor } from '../../../../db/connection/connect.ts'
import { donePart, keepPart } from '../../../../plugins/http/idempotency/key.ts'
import type { WithKey } from '../../../../plugins/http/idempotency/keyed-request.ts'
import { requireDomain } from '../../../domains/access/access.ts'
import type { RecordContext } from '../../context.ts'
import type { Step } from '../../plan/change.ts'
import { recordsOfIds } from '../../list/queries.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Applied } from '../outcomes.ts'
import { itemsOfChange, type ChangeItem, type StepOutcome } from './journal-queries.ts'

/** The name under which an Idempotency-Key stores the change of its request. */
const PART = 'change'

/** Parts of a plan that the journal lacks: positions of the requests, refusals and warnings. */
interface StoredPlan extends Pick<Plan, 'refusals' | 'warnings'> {
  changeId: string
  indexes: (number | null)[]
}

/** Stores the change for a repeat of the request, in the transaction that opens it. */
export const keepChange = (
  trx: Executor,
  caller: WithKey,
  changeId: string,
  { steps, refusals, warnings }: Plan,
): Promise<void> => {
  const kept: StoredPlan = { changeId, indexes: steps.map(({ index }) => index), refusals, warnings }
  // A change without effect may precede it: see repeatedChange.
  return keepPart(trx, caller, PART, kept, { instead: caller.keyed?.doneParts[PART] !== undefined })
}

/**
 * Returns the outcome of the change that an earlier run of the request with the same Idempotency-Key made. Undefined if
 * there is none or it had no effect, so that the work has to be done. Rejects with 409 while the outcome is unknown, and
 * when the change was applied in part, unless its requests are independent (`separate`).
 */
export async function repeatedChange(
  { db }: Pick<RecordContext, 'db'>,
  caller: Caller,
  domainId: string,
  { separate = false } = {},
): Promise<Applied | undefined> {
  const kept = donePart(caller, PART) as StoredPlan | undefined
  if (!kept) return undefined
  const domain = await requireDomain(db, caller, domainId, 'write')
  const { changeId, indexes, refusals, warnings } = kept
  const items = await itemsOfChange(db, changeId)
  const status = items[0]?.status
  if (status === 'pending') throw firstUnderWay(changeId)
  if (!separate && status === 'partial') {
    throw conflict('This change was applied only in part; read the change for details', {
      reason: 'partly_done',
      changeId,
    })
  }
  if (!separate && status !== 'applied') {
    if (caller.keyed) caller.keyed.isReplay = false
    return undefined
  }
  const steps = items.map((item, position): Step => ({
    index: indexes[position] ?? null,
    action: item.action,
    recordId: item.record_id,
    providerId: null,
    before: item.before,
    after: item.after,
  }))
  const records = await recordsOfIds(
    db,
    domain.id,
    steps.map(({ recordId }) => recordId),
  )
  return {
    plan: { steps, refusals, warnings },
    changeId,
    outcomes: items.map(outcomeOf),
    records: new Map(records.map((row) => [row.id, row])),
    failure: null,
  }
}

const outcomeOf = ({ outcome, error }: ChangeItem): StepOutcome => {
  if (outcome === 'failed') return { outcome, error: error ?? '', code: 'provider_rejected' }
  return outcome === 'applied' ? { outcome, providerId: null } : { outcome }
}
