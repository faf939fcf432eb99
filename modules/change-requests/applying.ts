import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import { AppError, conflict, problemOf } from '../../plugins/http/errors.ts'
import { levelOf } from '../../plugins/http/logging.ts'
import { callerLater } from '../../plugins/security/access/caller-later.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import type { QueueOptions } from '../../plugins/work/queue.ts'
import {
  applyChanges,
  effectsIn,
  isOutdated,
  isPassing,
  keptIntent,
  missedTime,
  requireNothingElse,
  requireReachable,
  startClocks,
  type KeptBody,
  type RecordContext,
  type SetKey,
  type ShownPlan,
  type WaitingWork,
} from '../records/service.ts'
import { recordScopeOf, requireDomain } from '../domains/access/access.ts'
import { findDomainName, insertEntry, type RequestRow } from './queries.ts'
import {
  claimDue,
  markNotApplied,
  putOff,
  settleRequests,
  takeRequest,
  type DueRow,
} from './state-queries.ts'
import { announceRequest } from './service.ts'

/** An approved request; `tries` counts the attempts to apply it. */
type ApprovedRow = Omit<RequestRow, 'domain_name' | 'owner_id' | 'grants' | 'change_status'>

/** Attempts that found names busy or the service unavailable, after which a request without a time has failed. */
const MAX_TRIES = 20
const PAUSE_SECONDS = 15
const POLL_SECONDS = 5
const SETTLED_AT_ONCE = 100

/**
 * Applies exactly the plan that was approved, or nothing. Any instance may call it at any time: the change takes the request
 * in the transaction that opens it, so it is applied once. What becomes of the change decides what became of the request.
 */
export async function applyRequest(context: RecordContext, row: ApprovedRow, caller: Caller): Promise<void> {
  const { id, domain_id: domainId } = row
  try {
    const body = row.body as KeptBody
    const domain = await requireDomain(context.db, caller, domainId, 'write')
    const effects = effectsIn(row.plan as ShownPlan)
    if (row.apply_at !== null) await requireReachable(context, domain, row.touched as SetKey[])
    await requireNothingElse(context, domain, recordScopeOf(domain, caller), body)
    const intent = keptIntent(null, body, effects)
    const take: WaitingWork['take'] = async (trx, changeId) => {
      if (!(await takeRequest(trx, row, changeId))) throw alreadyTaken()
    }
    const awaited = { kind: 'request', id, take } as const
    const { changeId } = await applyChanges(
      context,
      caller,
      domainId,
      { ...intent, awaited },
      row.confirm_minutes === null ? {} : { confirmWithin: row.confirm_minutes },
    )
    if (changeId !== null) await startClocks(context.db, changeId)
  } catch (error) {
    await noteFailure(context, row, error)
  }
  await settle(context.db, id)
}

const alreadyTaken = () =>
  conflict('This change request is being applied already', { reason: 'request_not_open' })

/** Ends the request, or puts it off if the reason passes. Does nothing if a change was made after all. */
async function noteFailure({ db, log }: RecordContext, row: ApprovedRow, error: unknown): Promise<void> {
  if (!(error instanceof AppError))
    log[levelOf(error)]({ err: error, changeRequestId: row.id }, 'change request not applied')
  const isInTime = row.apply_at !== null || row.tries < MAX_TRIES
  if (isPassing(error) && isInTime && (await putOff(db, row.id, PAUSE_SECONDS))) return
  const status = isOutdated(error) ? 'outdated' : 'failed'
  await db.transaction().execute(async (trx) => {
    const problem = problemOf(error as Error, { id: row.id })
    const ended = await markNotApplied(trx, row, status, problem)
    if (!ended) return
    await insertEntry(trx, ended, { kind: status, by: null, text: problem.detail })
    await announceEnd(trx, `change_request.${status}`, ended)
  })
}

/** Announces what became of requests whose change has ended; each once. `id`: only that one. */
export async function settle(db: Kysely<Database>, id?: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const row of await settleRequests(trx, SETTLED_AT_ONCE, id)) {
      await announceEnd(
        trx,
        row.change_status === 'applied' ? 'change_request.applied' : 'change_request.failed',
        row,
      )
    }
  })
}

async function announceEnd(
  trx: Kysely<Database>,
  event: 'change_request.applied' | 'change_request.failed' | 'change_request.outdated',
  row: ApprovedRow,
): Promise<void> {
  const domain = await findDomainName(trx, row.domain_id)
  if (domain) await announceRequest(trx, event, { ...row, domain_name: domain.name }, null)
}

/** The queue of approved requests that no living instance is applying. */
export const requestQueue = (context: RecordContext): QueueOptions<DueRow> => ({
  name: 'change-requests',
  concurrency: 1,
  pollSeconds: POLL_SECONDS,
  claim: (limit) => claimDue(context.db, limit),
  async run(row) {
    try {
      if (row.is_late) throw missedTime()
      await applyRequest(context, row, await approverOf(context, row))
    } catch (error) {
      await noteFailure(context, row, error)
    }
  },
})

/** The approver with their current permissions. Rejects if they may no longer use the service. */
export const approverOf = ({ db, installation }: RecordContext, { id, approver_id: userId }: ApprovedRow) =>
  callerLater(db, installation, { userId, tokenId: null, origin: 'schedule', ip: '', requestId: id })
