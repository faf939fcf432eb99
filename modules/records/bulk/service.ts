/* What other modules use of plans over many domains. */
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { RecordContext } from '../apply/apply.ts'
import type { RequestedChange } from '../plan/change.ts'
import { applyTogether } from '../apply/records.ts'
import type { NewPlan } from './plan-queries.ts'

export { orAccepted } from '../accepted.ts'
export type { RecordContext } from '../apply/apply.ts'
export type { RequestedChange, RecordState } from '../plan/change.ts'
export { toContent } from '../plan/plan-mapper.ts'
export type { ZoneFacts } from '../plan/zone-rules.ts'
export { draftDomains } from './draft.ts'
export { applyDomainsPlan, keepDomainsPlan } from './kept.ts'
export type { Asked, Blocked, Wish } from './planned.ts'
export { DomainsPlanAnswer, PlanIdBody, PlanLimit } from './schemas.ts'

/** Does at once in one domain what was drafted for it, all or nothing. Rejects with an AppError. */
export async function applyNow(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: RequestedChange[],
  source: NewPlan['kind'],
): Promise<void> {
  if (requests.length > 0) await applyTogether(context, caller, domainId, requests, source)
}
