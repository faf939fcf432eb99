import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { planApplied, planNotFound, planTooLarge } from './errors.ts'
import { findPlan, insertPlan, lockPlan, markApplied, type Place } from './queries.ts'

/** Of the plans that a user has at a time. */
const MAX_BYTES = 32 * 1024 * 1024

/** What makes a plan that can be applied by its id. */
export interface NewPlan extends Place {
  /** What is done when it is applied: plain data. */
  body: object
  /** What was shown that it would do: plain data, with which what it would do then is compared. */
  shown: object
}

/** How the plan is found again, as answers say it. */
export interface KeptPlan {
  planId: string
  /** ISO 8601: one hour later. */
  planExpiresAt: string
}

/**
 * Keeps a plan that is about to be shown, for its user and, when they come with one, their personal token. Of the plans
 * of a user the newest 100 stay, and 32 MiB of them. That they may do what it says is judged when it is applied.
 * 413 when it is larger than that.
 */
export async function keepPlan(db: Executor, caller: Principal, plan: NewPlan): Promise<KeptPlan> {
  const id = uuidv7()
  const [body, shown] = [JSON.stringify(plan.body), JSON.stringify(plan.shown)]
  const bytes = Buffer.byteLength(body) + Buffer.byteLength(shown)
  if (bytes > MAX_BYTES) throw planTooLarge()
  const { kind, domainId } = plan
  const owner = ownerOf(caller)
  const expiresAt = await insertPlan(db, { id, ...owner, kind, domainId, body, shown, bytes }, MAX_BYTES)
  return { planId: id, planExpiresAt: expiresAt.toISOString() }
}

/**
 * A plan of that kind, of that domain (null: of several), of this user and this token; 404 without one, 409 when it was
 * applied. Who applies it does what `body` says, with the rights that the caller has by then, and only where that is what
 * `shown` says, compared under the locks under which it is done (`planOutdated` otherwise).
 */
export async function readPlan(
  db: Executor,
  caller: Principal,
  planId: string,
  place: Place,
): Promise<Pick<NewPlan, 'body' | 'shown'>> {
  const plan = await findPlan(db, planId, { ...ownerOf(caller), ...place })
  if (!plan) throw planNotFound(planId)
  requireUnapplied(plan)
  return plan
}

/** In the transaction that applies a plan: holds it, and rejects with 409 when it was applied already. */
export async function holdPlan(trx: Executor, planId: string): Promise<void> {
  const plan = await lockPlan(trx, planId)
  if (!plan) throw planNotFound(planId)
  requireUnapplied(plan)
}

/** In the same transaction: from now on the plan only says by what it was applied. */
export async function endPlan(
  trx: Executor,
  planId: string,
  by: { changeId: string } | { operationId: string },
): Promise<void> {
  await markApplied(trx, planId, { changeId: null, operationId: null, ...by })
}

function requireUnapplied(plan: { change_id: string | null; operation_id: string | null }): void {
  const { change_id: changeId, operation_id: operationId } = plan
  if (changeId !== null || operationId !== null) throw planApplied({ changeId, operationId })
}

const ownerOf = ({ userId, token }: Principal) => ({ userId, tokenId: token?.id ?? null })
