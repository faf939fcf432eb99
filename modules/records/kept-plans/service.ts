import { v7 as uuidv7 } from 'uuid'
import { AppError, conflict } from '../../../plugins/http/errors.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { ChangeSource } from '../../../db/tables/index.ts'
import type { Caller, Principal } from '../../../plugins/security/access/index.ts'
import type { OperationKind } from '../../../schemas/operation.ts'
import { requireDomain } from '../../domains/access/access.ts'
import { effectOf, type Effect } from '../plan/plan-mapper.ts'
import type { KeptIntent, RequestsIntent } from '../plan/intent.ts'
import type { Plan } from '../plan/plan-outcome.ts'
import { findPlan, findPlanDomain, insertPlan, lockPlan } from './queries.ts'

export { endPlan } from './queries.ts'

/** Size of all kept plans of a user. */
const MAX_BYTES = 32 * 1024 * 1024

const KIND = 'records'

/** How a plan is stored: as plain data. */
export interface KeptBody extends Pick<RequestsIntent, 'requests' | 'exact' | 'origins' | 'reverts'> {
  /** Only what a user wrote (`apply`) is checked by the rules for users. */
  source: 'apply' | Extract<OperationKind, ChangeSource>
}

/** The id of a kept plan, as answers give it. */
interface KeptPlan {
  planId: string
  /** ISO 8601: one hour later. */
  planExpiresAt: string
}

/**
 * Keeps a plan that is about to be shown, for its user and, if they used one, their personal token. A user has at most 100
 * kept plans and 32 MiB of them; older ones are dropped. Permissions are checked when the plan is applied. Returns nulls
 * when there is nothing to apply. Rejects with 413 when the plan is too large.
 */
export async function keepPlan(
  db: Executor,
  caller: Principal,
  domainId: string,
  { source, requests, exact, origins, reverts }: RequestsIntent & { source: KeptBody['source'] },
  { refusals, steps }: Plan,
): Promise<KeptPlan | { planId: null; planExpiresAt: null }> {
  if (refusals.length > 0 || steps.length === 0) return { planId: null, planExpiresAt: null }
  const id = uuidv7()
  const body = JSON.stringify({ source, requests, exact, origins, reverts } satisfies {
    [K in keyof KeptBody]: unknown
  })
  const shown = JSON.stringify(steps.map(effectOf))
  const bytes = Buffer.byteLength(body) + Buffer.byteLength(shown)
  if (bytes > MAX_BYTES)
    throw new AppError(413, 'payload_too_large', 'This plan is too large to keep; split the changes')
  const row = { id, ...ownerOf(caller), kind: KIND, domainId, body, shown, bytes }
  const expiresAt = await insertPlan(db, row, MAX_BYTES)
  return { planId: id, planExpiresAt: expiresAt.toISOString() }
}

/** A kept plan of this domain, user and token. Rejects with 404 without one, and with 409 when it was applied. */
export async function readKeptPlan(
  db: Executor,
  caller: Principal,
  domainId: string,
  planId: string,
): Promise<KeptIntent & Pick<KeptBody, 'source'>> {
  const plan = await findPlan(db, planId, { ...ownerOf(caller), kind: KIND, domainId })
  if (!plan) throw planNotFound(planId)
  requireUnapplied(plan)
  return keptIntent(planId, plan.body as KeptBody, plan.shown as Effect[])
}

/** Returns the domain of the caller's kept plan. Rejects with 404 without one, and for a domain that is no longer visible. */
export async function whereKept(db: Executor, caller: Caller, planId: string) {
  const plan = await findPlanDomain(db, planId, { ...ownerOf(caller), kind: KIND })
  if (!plan) throw planNotFound(planId)
  const { id: domainId, name: domainName } = await requireDomain(db, caller, plan.domain_id, 'read')
  return { planId, domainId, domainName, planExpiresAt: plan.expires_at.toISOString() }
}

/** Returns the intent of a kept plan. `planId`: null if the plan is already marked as applied. */
export const keptIntent = (
  planId: string | null,
  body: KeptBody,
  expected: Effect[],
): KeptIntent & Pick<KeptBody, 'source'> => ({
  ...body,
  kind: 'kept',
  planId,
  verbatim: body.source !== 'apply',
  expected,
})

/** In the transaction that applies a plan: locks it, and rejects with 409 when it was applied already. */
export async function holdPlan(trx: Executor, planId: string): Promise<void> {
  const plan = await lockPlan(trx, planId)
  if (!plan) throw planNotFound(planId)
  requireUnapplied(plan)
}

function requireUnapplied(plan: { change_id: string | null; operation_id: string | null }): void {
  const { change_id: changeId, operation_id: operationId } = plan
  if (changeId !== null || operationId !== null) throw planApplied({ changeId, operationId })
}

const ownerOf = ({ userId, token }: Principal) => ({ userId, tokenId: token?.id ?? null })

const planNotFound = (id: string) =>
  new AppError(
    404,
    'not_found',
    `No plan ${id}; a plan is kept for an hour for the user who made it, and can be applied once`,
  )

/** Returns a 409 that names the change or operation that applied the plan. */
export const planApplied = (by: { changeId?: string | null; operationId: string | null }) =>
  conflict('This plan has already been applied', {
    reason: 'plan_applied',
    ...(by.changeId != null && { changeId: by.changeId }),
    ...(by.operationId !== null && { operationId: by.operationId }),
  })
