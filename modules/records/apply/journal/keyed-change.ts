import type { Executor } from '../../../../db/connection/connect.ts'
import { donePart, keepPart } from '../../../../plugins/http/idempotency/key.ts'
import type { WithKey } from '../../../../plugins/http/idempotency/keyed-request.ts'
import type { Plan } from '../../plan/plan.ts'

/** The change by which a request is done, as its Idempotency-Key knows it. */
const PART = 'change'

/** What the journal lacks of a plan: which request asked for each step, by position, and what stood against others. */
interface KeptPlan extends Pick<Plan, 'refusals' | 'warnings'> {
  changeId: string
  indexes: (number | null)[]
}

/** In the transaction that opens the change. */
export const keepChange = (
  trx: Executor,
  caller: WithKey,
  changeId: string,
  { steps, refusals, warnings }: Plan,
): Promise<void> => {
  const kept: KeptPlan = { changeId, indexes: steps.map(({ index }) => index), refusals, warnings }
  // One that did nothing was there before: see repeatedChange in repeated.ts.
  return keepPart(trx, caller, PART, kept, { instead: caller.keyed?.doneParts[PART] !== undefined })
}

/** What an earlier run of the request stored of it. */
export const keptChange = (caller: WithKey) => donePart(caller, PART) as KeptPlan | undefined
