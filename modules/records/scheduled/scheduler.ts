import type { Kysely } from 'kysely'
import type { Database } from '../../../db/tables/index.ts'
import { AppError, conflict, problemOf } from '../../../plugins/http/errors.ts'
import { levelOf } from '../../../plugins/http/logging.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import { callerLater } from '../../../plugins/security/access/caller-later.ts'
import { SYSTEM, type Caller } from '../../../plugins/security/access/index.ts'
import type { QueueOptions } from '../../../plugins/work/queue.ts'
import { recordAudit } from '../../audit/service.ts'
import { recordScopeOf, requireDomain } from '../../domains/access/access.ts'
import { applyChanges } from '../apply/apply.ts'
import { requireReachable } from '../apply/provider/reachable.ts'
import { requireNothingElse } from '../apply/requested-changes.ts'
import { startClocks } from '../confirmation/queries.ts'
import type { RecordContext } from '../context.ts'
import { isPassing } from '../errors.ts'
import { keptIntent } from '../kept-plans/service.ts'
import { effectOf } from '../plan/plan-mapper.ts'
import { placesOf } from './mapper.ts'
import { auditOf, type ScheduledBody } from './schedule.ts'
import {
  claimDue,
  findDomain,
  insertFailedChange,
  markFailed,
  putOff,
  renewScheduled,
  settleTaken,
  takeScheduled,
  type DueRow,
  type ScheduledRow,
} from './queries.ts'
import { missedTime, PAUSE_SECONDS } from './times.ts'

const CONCURRENCY = 4
const POLL_SECONDS = 1
const SETTLED_AT_ONCE = 100

/** The queue of changes whose time has come, and that no living instance is applying. */
export const scheduledQueue = (context: RecordContext): QueueOptions<DueRow> => ({
  name: 'scheduled-changes',
  concurrency: CONCURRENCY,
  pollSeconds: POLL_SECONDS,
  claim: (limit) => claimDue(context.db, limit),
  renew: (rows) =>
    renewScheduled(
      context.db,
      rows.map(({ id }) => id),
    ),
  run: (row) => (row.is_late ? noteFailure(context, row, missedTime()) : applyScheduled(context, row)),
})

/**
 * Applies a change whose time has come, with the permissions that its author has by now: exactly what was shown, or nothing.
 * Any instance may call it at any time: the change is taken in the transaction that opens it in the journal.
 */
export async function applyScheduled(context: RecordContext, row: ScheduledRow): Promise<void> {
  const { id, domain_id: domainId } = row
  try {
    const body = row.body as unknown as ScheduledBody
    const caller = await authorOf(context, row)
    const domain = await requireDomain(context.db, caller, domainId, 'write')
    await requireReachable(context, domain, placesOf(row))
    await requireNothingElse(context, domain, recordScopeOf(domain, caller), body)
    const take = async (trx: Kysely<Database>) => {
      if (!(await takeScheduled(trx, id))) throw alreadyTaken()
    }
    const intent = {
      ...keptIntent(null, body, row.steps.map(effectOf)),
      verbatim: body.verbatim,
      awaited: { kind: 'scheduled', id, take },
    } as const
    await applyChanges(context, caller, domainId, intent, {
      operationId: row.operation_id,
      ...(row.emergency_reason !== null && { emergencyReason: row.emergency_reason }),
      ...(row.confirm_minutes !== null && { confirmWithin: row.confirm_minutes }),
    })
  } catch (error) {
    await noteFailure(context, row, error)
  }
  await settleScheduled(context.db, id)
}

const alreadyTaken = () => conflict('This change is no longer scheduled', { reason: 'not_scheduled' })

/** The author with their current permissions. Rejects if they may no longer change records. */
async function authorOf({ db, installation }: RecordContext, row: ScheduledRow): Promise<Caller> {
  const caller = await callerLater(db, installation, {
    userId: row.author_id,
    tokenId: row.token_id,
    origin: 'schedule',
    ip: row.ip,
    requestId: row.id,
  })
  if (caller.token && !caller.token.permissions.includes('records:write'))
    throw new AppError(403, 'permission_missing', 'This token lacks the permission records:write', {
      extra: { permission: 'records:write' },
    })
  return caller
}

/** Ends the change, or puts it off if the reason passes and it isn't too late. Does nothing if it was made after all. */
async function noteFailure({ db, log }: RecordContext, row: ScheduledRow, error: unknown): Promise<void> {
  if (!(error instanceof AppError))
    log[levelOf(error)]({ err: error, changeId: row.id }, 'scheduled change not applied')
  if (isPassing(error) && (await putOff(db, row.id, PAUSE_SECONDS))) return
  const problem = problemOf(error as Error, { id: row.id })
  await db.transaction().execute(async (trx) => {
    const domain = await findDomain(trx, row.domain_id)
    const failed = domain && (await markFailed(trx, row.id, problem))
    if (!domain || !failed) return
    const { source } = failed.body as unknown as ScheduledBody
    await insertFailedChange(trx, failed, { source, error: problem.detail })
    await recordAudit(
      trx,
      SYSTEM,
      auditOf('change.failed', domain, { changeId: row.id, reason: problem.detail }),
    )
    await announceEnd(trx, 'change.failed', failed, domain, problem.detail)
  })
}

/** Announces what became of scheduled changes that have an outcome; each once. `id`: only that one. */
export async function settleScheduled(db: Kysely<Database>, id?: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const row of await settleTaken(trx, SETTLED_AT_ONCE, id)) {
      const domain = await findDomain(trx, row.domain_id)
      if (!domain) continue
      const event = row.change_status === 'applied' ? 'change.applied' : 'change.failed'
      await announceEnd(trx, event, row, domain, '')
    }
  })
  await startClocks(db, id)
}

function announceEnd(
  trx: Kysely<Database>,
  event: 'change.applied' | 'change.failed',
  row: ScheduledRow,
  domain: { id: string; name: string },
  reason: string,
) {
  const metadata = {
    domainId: domain.id,
    domainName: domain.name,
    changeId: row.id,
    author: row.author_name,
    applyAt: row.apply_at.toISOString(),
    created: row.created,
    updated: row.updated,
    deleted: row.deleted,
  }
  return event === 'change.applied'
    ? announce(trx, event, { metadata, actorId: null })
    : announce(trx, event, { metadata: { ...metadata, reason }, actorId: null })
}
