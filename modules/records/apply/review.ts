import type { Executor } from '../../../db/connection/connect.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import { AppError, forbidden, invalid } from '../../../plugins/http/errors.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { ReviewExemption } from '../../../schemas/records/review.ts'
import { recordAudit } from '../../audit/service.ts'
import { hasAllRights, type DomainRow } from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { keepPlan, type KeptBody } from '../kept-plans/service.ts'
import type { RequestedChange } from '../plan/change.ts'
import type { ChangeIntent, WaitingWork } from '../plan/intent.ts'
import { toPlan } from '../plan/plan-mapper.ts'
import type { Plan } from '../plan/plan-outcome.ts'

/* The review policy of a domain: which writes need the approval of a second person. */

/** Why a caller bypasses the review in an emergency; undefined without one. */
export interface Emergency {
  emergencyReason?: string | undefined
}

/**
 * Whether the domain's policy lets this intent through only as an approved change request. The origin of protocols is set
 * by the service, so a client can't claim an exempt one.
 */
export function needsReview(
  domain: Pick<DomainRow, 'owner_id' | 'review_policy' | 'review_exempt'>,
  caller: Caller,
  intent: { kind: ChangeIntent['kind']; awaited?: Pick<WaitingWork, 'kind'> },
): boolean {
  if (domain.review_policy === 'none') return false
  // An approved request was reviewed, and so was what a failover monitor switches to. Nobody may keep an unconfirmed change by
  // not reviewing that it is reverted.
  if (intent.awaited !== undefined && intent.awaited.kind !== 'scheduled') return false
  // What is put back was reviewed, if it had to be, when it was stored here.
  if (intent.kind === 'enforced') return false
  if (domain.review_exempt.includes(caller.origin as ReviewExemption)) return false
  return domain.review_policy === 'everyone' || !hasAllRights(domain, caller)
}

/**
 * Whether the intent needs a review, or bypasses one in an emergency. Rejects with 403 unless who bypasses it owns the
 * domain or is an administrator.
 */
export function reviewOf(
  domain: Pick<DomainRow, 'name' | 'owner_id' | 'review_policy' | 'review_exempt'>,
  caller: Caller,
  intent: ChangeIntent,
  { emergencyReason }: Emergency,
): 'none' | 'required' | 'bypassed' {
  if (!needsReview(domain, caller, intent)) return 'none'
  if (emergencyReason === undefined) return 'required'
  if (!hasAllRights(domain, caller))
    throw forbidden(`Only the owner of ${domain.name} and administrators can bypass its review`)
  return 'bypassed'
}

/** Writes the audit entry of a change that bypassed the review, and tells the others of the domain. */
export async function noteBypass(
  trx: Executor,
  caller: Caller,
  { id, name }: Pick<DomainRow, 'id' | 'name'>,
  bypass: { changeId: string; reason: string },
): Promise<void> {
  await recordAudit(trx, caller, {
    action: 'review.bypassed',
    target: { type: 'domain', id, name },
    after: bypass,
  })
  await announce(trx, 'change_request.bypassed', {
    metadata: { domainId: id, domainName: name, username: caller.username, ...bypass },
    actorId: caller.userId,
  })
}

/** Reads the emergency of a body. Throws a 400 when one member is given without the other. */
export function emergencyOf({ emergency, reason }: { emergency?: boolean; reason?: string }): Emergency {
  const given = reason?.trim() ?? ''
  if (emergency === true && given === '')
    throw invalid({ path: '/reason', code: 'required', message: 'is required with emergency' })
  if (emergency !== true && reason !== undefined)
    throw invalid({ path: '/reason', code: 'required', message: 'can only be given with emergency' })
  return emergency === true ? { emergencyReason: given } : {}
}

/**
 * Returns the 409 of a write that needs a review: with its plan, which is kept, so that the caller can make it a change
 * request by its id. `isShown`: whether anybody waits for the answer.
 */
export async function reviewRequired(
  { db }: RecordContext,
  caller: Caller,
  intent: ChangeIntent,
  { domain, plan, requests, isShown }: Unreviewed & { isShown: boolean },
): Promise<AppError> {
  const base = caller.token === null ? '/api' : '/api/v1'
  return new AppError(
    409,
    'review_required',
    `Changes of ${domain.name} need the approval of a second person, so nothing was changed; make a change request`,
    {
      extra: {
        changeRequests: `${base}/domains/${domain.id}/change-requests`,
        ...(isShown && {
          plan: toPlan(plan, null),
          ...(await keepPlan(db, caller, domain.id, keptOf(intent, requests), plan)),
        }),
      },
    },
  )
}

/** What was planned and not done. */
interface Unreviewed {
  domain: Pick<DomainRow, 'id' | 'name'>
  plan: Plan
  requests: RequestedChange[]
}

/** What a caller wrote is checked by the rules for users when it is applied; records that were served before are not. */
function keptOf(intent: ChangeIntent, requests: RequestedChange[]) {
  const { exact, origins, verbatim, source } = { origins: undefined, verbatim: false, ...intent }
  return {
    kind: 'requests',
    requests,
    source: verbatim ? (source as KeptBody['source']) : 'apply',
    ...(exact && { exact }),
    ...(origins && { origins }),
  } as const
}
