import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../../db/connection/connect.ts'
import type { StoredStep } from '../../../db/tables/index.ts'
import { conflict, forbidden, invalid, notFound } from '../../../plugins/http/errors.ts'
import { keepingResult } from '../../../plugins/http/idempotency/key.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { Later } from '../../../schemas/records/later.ts'
import { provenanceOf, recordAudit, type AuditEntry } from '../../audit/service.ts'
import {
  mayChange,
  recordScopeOf,
  requireDomain,
  seesRecord,
  type DomainRow,
} from '../../domains/access/access.ts'
import { requireVersion } from '../apply/apply.ts'
import { reviewOf, reviewRequired, type Emergency } from '../apply/review.ts'
import type { RecordContext } from '../context.ts'
import { ChangesRefused } from '../errors.ts'
import { holdKept, requireAsShown } from '../kept-plans/as-shown.ts'
import { endPlan, type KeptBody } from '../kept-plans/service.ts'
import { storedPlan } from '../kept-plans/stored-plan.ts'
import type { Step } from '../plan/change.ts'
import type { KeptIntent, RequestsIntent } from '../plan/intent.ts'
import { toPlan } from '../plan/plan-mapper.ts'
import { previewChanges } from '../plan/preview.ts'
import { placesOf, toScheduledEntry } from './mapper.ts'
import {
  countScheduledBy,
  findScheduled,
  insertScheduled,
  markCancelled,
  placeInTime,
  type ScheduledRow,
} from './queries.ts'
import { MAX_DAYS_AHEAD } from './times.ts'

/** Changes of one author that wait in one domain. */
const MAX_SCHEDULED = 100

/** How a scheduled change is stored: as a kept plan, with what the source of that says implicitly. */
export interface ScheduledBody extends KeptBody {
  verbatim: boolean
}

interface Wanted extends Later, Emergency {
  applyAt: string
  /** The intent is one change, the whole request: it is refused as when it is applied at once. */
  isSingle?: boolean
  /** Versions of the domain's records that the changes are meant for; 412 for any other. */
  ifVersions?: number[] | undefined
  /** The operation that schedules the change. */
  operationId?: string | null
  /** Runs in the transaction that stores it. */
  note?: (trx: Executor, id: string) => Promise<void>
}

/**
 * Schedules an intent: it is applied at its time if it then does what is shown now. Rejects with all conflicts, and with 409
 * where it needs a review. A kept plan is used up.
 */
export async function scheduleChanges(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  intent: (RequestsIntent | KeptIntent) & Pick<KeptBody, 'source'>,
  { applyAt, confirmWithin, emergencyReason, ifVersions, isSingle = false, operationId = null, note }: Wanted,
) {
  await requireAhead(context.db, applyAt)
  const domain = await requireDomain(context.db, caller, domainId, 'write')
  const { source, requests, verbatim = false } = intent
  const plan = await previewChanges(context, caller, domainId, { ...intent, kind: 'requests' })
  if (intent.kind === 'kept') requireAsShown(plan, intent)
  if (isSingle && plan.refusals.length > 0) throw new ChangesRefused(plan.refusals, caller)
  const { plan: _shown, ...stored } = storedPlan(intent, plan)
  if (reviewOf(domain, caller, intent, { emergencyReason }) === 'required')
    throw await reviewRequired(context, caller, intent, {
      domain,
      plan,
      requests,
      isShown: note === undefined,
    })
  const body: ScheduledBody = { ...(JSON.parse(stored.body) as KeptBody), source, verbatim }
  return keepingResult(context.db, caller, async (trx) => {
    // Locks the domain, so that changes scheduled at the same time are counted.
    const locked = await requireDomain(trx, caller, domainId, 'write', { lock: true })
    await requireVersion(trx, locked, recordScopeOf(locked, caller), ifVersions)
    if (intent.kind === 'kept') await holdKept(trx, locked, intent)
    if ((await countScheduledBy(trx, domainId, caller.userId)) >= MAX_SCHEDULED) {
      throw conflict(`You have ${MAX_SCHEDULED} scheduled changes in ${locked.name}; cancel some first`, {
        reason: 'too_many_scheduled',
        params: { count: MAX_SCHEDULED },
      })
    }
    const id = uuidv7()
    await insertScheduled(trx, {
      ...stored,
      id,
      domain_id: domainId,
      author_id: caller.userId,
      author_name: caller.username,
      ...provenanceOf(caller),
      ip: caller.ip,
      operation_id: operationId,
      emergency_reason: emergencyReason ?? null,
      body: JSON.stringify(body),
      steps: JSON.stringify(plan.steps.map(toStoredStep)),
      applyAt,
      confirm_minutes: confirmWithin ?? null,
    })
    if (intent.kind === 'kept' && intent.planId !== null) await endPlan(trx, intent.planId, { changeId: id })
    await note?.(trx, id)
    await recordAudit(
      trx,
      caller,
      auditOf('change.scheduled', locked, { changeId: id, applyAt, confirmWithin }),
    )
    return {
      ...toPlan(plan, null),
      scheduled: true,
      changeId: id,
      applyAt: new Date(applyAt).toISOString(),
      ...(confirmWithin !== undefined && { confirmWithin }),
    }
  })
}

/** Rejects with 400 unless the time is ahead, and not too far. */
export async function requireAhead(db: Executor, applyAt: string): Promise<void> {
  const place = await placeInTime(db, applyAt)
  if (place === 'past') throw invalid({ path: '/applyAt', code: 'in_past', message: 'is in the past' })
  if (place === 'too_far')
    throw invalid({
      path: '/applyAt',
      code: 'too_far_ahead',
      message: `is more than ${MAX_DAYS_AHEAD} days ahead`,
    })
}

const toStoredStep = ({ action, recordId, before, after }: Step): StoredStep => ({
  action,
  recordId,
  before,
  after,
})

/** The audit entry of what happened to a change that waits. */
export const auditOf = (
  action: `change.${'scheduled' | 'applied' | 'cancelled' | 'failed' | 'confirmed' | 'reverted'}`,
  { id, name }: Pick<DomainRow, 'id' | 'name'>,
  after: { changeId: string } & Record<string, unknown>,
): AuditEntry => ({ action, target: { type: 'domain', id, name }, after })

/**
 * Cancels a change that is still scheduled: for its author, and for callers with write permission for all of it. Rejects with
 * 404 if the caller doesn't see all of it.
 */
export const cancelScheduled = ({ db }: RecordContext, caller: Caller, domainId: string, id: string) =>
  keepingResult(db, caller, async (trx) => {
    const { domain, scope, row, mayWriteAll } = await lockScheduled(trx, caller, domainId, id)
    if (row.author_id !== caller.userId && !mayWriteAll) throw mayNotWriteAll()
    const cancelled = await markCancelled(trx, id)
    if (!cancelled) throw notScheduled(row)
    await recordAudit(trx, caller, auditOf('change.cancelled', domain, { changeId: id }))
    return toScheduledEntry(cancelled, scope)
  })

/** Locks a scheduled change. Rejects with 404 if the caller doesn't see all of it. */
export async function lockScheduled(trx: Executor, caller: Caller, domainId: string, id: string) {
  const domain = await requireDomain(trx, caller, domainId, 'read')
  const scope = recordScopeOf(domain, caller)
  const row = await findScheduled(trx, domainId, id, { lock: true })
  if (!row || !placesOf(row).every((place) => seesRecord(scope, place))) throw notFound('change', id)
  return { domain, scope, row, mayWriteAll: placesOf(row).every((place) => mayChange(scope, place)) }
}

export const mayNotWriteAll = () =>
  forbidden('You need write permission for everything that the change touches')

export const notScheduled = ({ status }: Pick<ScheduledRow, 'status'>) =>
  conflict('This change is no longer scheduled', { reason: 'not_scheduled', params: { status } })
