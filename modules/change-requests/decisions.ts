import type { Executor } from '../../db/connection/connect.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { conflict, forbidden } from '../../plugins/http/errors.ts'
import { keepingResult, once } from '../../plugins/http/idempotency/key.ts'
import { missedTime, type RecordContext } from '../records/service.ts'
import { applyRequest, approverOf } from './applying.ts'
import { isPerson, type RequestRow } from './queries.ts'
import { isPast, markApproved, markEnded, markNow } from './state-queries.ts'
import { mayWriteAll } from './reviewers.ts'
import { noteStep, notOpen, readRequest, requireRequest, requireRevision } from './service.ts'

/**
 * Approves the revision that the caller has reviewed, and applies it, unless its time is ahead. The approval is stored first;
 * if this instance dies, another one applies it. Rejects with 409 once its time has passed.
 */
export async function approveRequest(
  context: RecordContext,
  caller: Caller,
  id: string,
  { revision, text = '' }: { revision: number; text?: string },
) {
  await once(caller, () =>
    keepingResult(context.db, caller, async (trx) => {
      const row = await requireReviewable(trx, caller, id)
      requireRevision(row, revision)
      if (row.status !== 'open') throw notOpen()
      if (await isPast(trx, id)) throw missedTime()
      await markApproved(trx, id, caller)
      return noteStep(trx, caller, id, 'approved', text)
    }),
  )
  const approved = await requireRequest(context.db, caller, id)
  if (approved.apply_at === null) await applyRequest(context, approved, caller)
  return readRequest(context.db, caller, id)
}

/** Applies an approved request now instead of at its time, as its approver. For those who may write all of it. */
export async function applyNow(context: RecordContext, caller: Caller, id: string) {
  await once(caller, () =>
    keepingResult(context.db, caller, async (trx) => {
      const row = await requireRequest(trx, caller, id, { lock: true })
      if (!mayWriteAll(row, caller)) throw mayNotWriteAll()
      if (!isWaiting(row)) throw notOpen()
      await markNow(trx, id)
      return noteStep(trx, caller, id, 'applied')
    }),
  )
  const approved = await requireRequest(context.db, caller, id)
  await applyRequest(context, approved, await approverOf(context, approved))
  return readRequest(context.db, caller, id)
}

/** Whether an approved request waits for its time. */
const isWaiting = ({ status, change_id, apply_at }: RequestRow): boolean =>
  status === 'approved' && change_id === null && apply_at !== null

const mayNotWriteAll = () =>
  forbidden('You need write permission for everything that the change request touches')

export const rejectRequest = ({ db }: RecordContext, caller: Caller, id: string, reason: string) =>
  keepingResult(db, caller, async (trx) => {
    await requireReviewable(trx, caller, id)
    await markEnded(trx, id, 'rejected')
    return noteStep(trx, caller, id, 'rejected', reason)
  })

/** Withdraws the caller's own request, also while it waits for its time. */
export const withdrawRequest = ({ db }: RecordContext, caller: Caller, id: string) =>
  keepingResult(db, caller, async (trx) => {
    const row = await requireRequest(trx, caller, id, { lock: true })
    if (row.author_id !== caller.userId)
      throw forbidden('Only its author can withdraw a change request; reject it instead')
    if (row.status !== 'open' && row.status !== 'outdated' && !isWaiting(row)) throw notOpen()
    await markEnded(trx, id, 'withdrawn')
    return noteStep(trx, caller, id, 'withdrawn')
  })

/** Locks a request that the caller may approve or reject: open, or approved and waiting for its time. */
async function requireReviewable(trx: Executor, caller: Caller, id: string): Promise<RequestRow> {
  const row = await requireRequest(trx, caller, id, { lock: true })
  if (row.author_id === caller.userId)
    throw conflict('Another person than its author must decide on a change request', {
      reason: 'own_request',
    })
  if (!mayWriteAll(row, caller)) throw mayNotWriteAll()
  // A person could approve their own request through a machine account that they hold a token of.
  if (!(await isPerson(trx, caller.userId))) throw forbidden('Only a person can decide on a change request')
  if (row.status !== 'open' && !isWaiting(row)) throw notOpen()
  return row
}
