import type { Executor } from '../../../../db/connection/connect.ts'
import { donePart, keepPart } from '../../../../plugins/http/idempotency/key.ts'
import type { WithKey } from '../../../../plugins/http/idempotency/keyed-request.ts'
import type { Plan } from '../../plan/plan.ts'

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
  // A change without effect may precede it: see repeatedChange in repeated.ts.
  return keepPart(trx, caller, PART, kept, { instead: caller.keyed?.doneParts[PART] !== undefined })
}

/** Returns what an earlier run of the request stored. */
export const keptChange = (caller: WithKey) => donePart(caller, PART) as StoredPlan | undefined
