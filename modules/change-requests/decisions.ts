import type { Executor } from '../../db/connection/connect.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { conflict, forbidden } from '../../plugins/http/errors.ts'
import { keepingResult, once } from '../../plugins/http/idempotency/key.ts'
import type { RecordContext } from '../records/service.ts'
import { applyRequest } from './applying.ts'
import { isPerson, type RequestRow } from './queries.ts'
import { markApproved, markEnded } from './state-queries.ts'
import { mayWriteAll } from './reviewers.ts'
import { noteStep, notOpen, readRequest, requireRequest, requireRevision } from './service.ts'

/**
 * Approves the revision that the caller has reviewed, and applies it. The approval is stored first; if this instance dies,
 * another one applies it.
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
      await markApproved(trx, id, caller)
      return noteStep(trx, caller, id, 'approved', text)
    }),
  )
  const approved = await requireRequest(context.db, caller, id)
  await applyRequest(context, approved, caller)
  return readRequest(context.db, caller, id)
}

export const rejectRequest = ({ db }: RecordContext, caller: Caller, id: string, reason: string) =>
  keepingResult(db, caller, async (trx) => {
    await requireReviewable(trx, caller, id)
    await markEnded(trx, id, 'rejected')
    return noteStep(trx, caller, id, 'rejected', reason)
  })

/** Withdraws the caller's own request. */
export const withdrawRequest = ({ db }: RecordContext, caller: Caller, id: string) =>
  keepingResult(db, caller, async (trx) => {
    const row = await requireRequest(trx, caller, id, { lock: true })
    if (row.author_id !== caller.userId)
      throw forbidden('Only its author can withdraw a change request; reject it instead')
    if (row.status !== 'open' && row.status !== 'outdated') throw notOpen()
    await markEnded(trx, id, 'withdrawn')
    return noteStep(trx, caller, id, 'withdrawn')
  })

/** Locks an open request that the caller may approve or reject. */
async function requireReviewable(trx: Executor, caller: Caller, id: string): Promise<RequestRow> {
  const row = await requireRequest(trx, caller, id, { lock: true })
  if (row.author_id === caller.userId)
    throw conflict('Another person than its author must decide on a change request', {
      reason: 'own_request',
    })
  if (!mayWriteAll(row, caller))
    throw forbidden('You need write permission for everything that the change request touches')
  // A person could approve their own request through a machine account that they hold a token of.
  if (!(await isPerson(trx, caller.userId))) throw forbidden('Only a person can decide on a change request')
  if (row.status !== 'open') throw notOpen()
  return row
}
