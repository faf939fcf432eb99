/* What other modules use of plans over many domains. */
import type { Caller } from '../../../plugins/access/index.ts'
import type { RecordContext } from '../apply.ts'
import type { ChangeRequest } from '../change.ts'
import { applyTogether } from '../service.ts'
import type { NewPlan } from './plan-queries.ts'

export { orAccepted } from '../accepted.ts'
export type { RecordContext } from '../apply.ts'
export type { ChangeRequest, RecordState } from '../change.ts'
export { toContent } from '../plan-mapper.ts'
export type { ZoneFacts } from '../zone-rules.ts'
export { draftDomains } from './draft.ts'
export { applyDomainsPlan, keepDomainsPlan } from './kept.ts'
export type { Asked, Blocked, Wish } from './planned.ts'
export { DomainsPlanAnswer, PlanIdBody, PlanLimit } from './schemas.ts'

/** Does at once in one domain what was drafted for it, all or nothing. Rejects with an AppError. */
export async function applyNow(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: ChangeRequest[],
  source: NewPlan['kind'],
): Promise<void> {
  if (requests.length > 0) await applyTogether(context, caller, domainId, requests, source)
}
