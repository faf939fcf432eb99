import type { Executor } from '../../../db/connection/connect.ts'
import { AppError, conflict, forbidden, notFound } from '../../../plugins/http/errors.ts'
import { keepingResult } from '../../../plugins/http/idempotency/key.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { recordAudit } from '../../audit/service.ts'
import { mayChange, recordScopeOf, requireDomain, seesRecord } from '../../domains/access/access.ts'
import { itemsOfChange } from '../apply/journal/journal-queries.ts'
import type { RecordContext } from '../context.ts'
import { findChange } from '../history/history-queries.ts'
import { readChange } from '../history/history.ts'
import { auditOf } from '../scheduled/schedule.ts'
import { findVerification } from '../verification/queries.ts'
import {
  confirmationsOf,
  findConfirmation,
  markConfirmed,
  startClocks,
  type ConfirmationRow,
} from './queries.ts'

/** Verifications that don't hold a confirmation up: what the provider decides itself can't be compared. */
const VERIFIED: ReadonlySet<string> = new Set(['verified', 'superseded', 'not_comparable'])

/**
 * Confirms a change, which then stays. For callers with write permission for all of it; 404 for those who don't see all of it.
 * Rejects with 409 if it doesn't wait to be confirmed, is being reverted, or must be verified first.
 */
export async function confirmChange(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  changeId: string,
) {
  await startClocks(context.db, changeId)
  return keepingResult(context.db, caller, async (trx) => {
    await confirmOne(trx, caller, domainId, changeId)
    return readChange({ ...context, db: trx }, caller, domainId, changeId, { unchanged: false })
  })
}

/** Confirms a change whose time runs; rejects as `confirmChange` does. */
async function confirmOne(trx: Executor, caller: Caller, domainId: string, changeId: string): Promise<void> {
  const domain = await requireDomain(trx, caller, domainId, 'read')
  const scope = recordScopeOf(domain, caller)
  if (!(await findChange(trx, domainId, scope, changeId))) throw notFound('change', changeId)
  const touched = (await itemsOfChange(trx, changeId)).flatMap(({ before, after }) =>
    [before, after].filter((side) => side !== null),
  )
  if (!touched.every((content) => seesRecord(scope, content))) throw notFound('change', changeId)
  if (!touched.every((content) => mayChange(scope, content)))
    throw forbidden('You need write permission for everything that the change touches')
  const waiting = await findConfirmation(trx, changeId)
  if (waiting?.status === 'unconfirmed' && domain.verify === 'require') {
    const status = (await findVerification(trx, changeId))?.status ?? 'none'
    if (!VERIFIED.has(status))
      throw conflict('The name servers do not serve this change yet, so it cannot be confirmed', {
        reason: 'not_verified',
        params: { status },
      })
  }
  if (!(await markConfirmed(trx, changeId, caller))) {
    const status = (await findConfirmation(trx, changeId))?.status ?? 'none'
    throw conflict('This change does not wait for a confirmation', {
      reason: 'not_unconfirmed',
      params: { status },
    })
  }
  await recordAudit(trx, caller, auditOf('change.confirmed', domain, { changeId }))
}

/** Changes that stay unconfirmed, as the answer names them. */
const MAX_LEFT = 100

/**
 * Confirms the changes of an operation in all of its domains, each for itself: one that can't be confirmed is returned with the
 * reason, or only counted if the caller doesn't see it. For the user who started it, and administrators, once it has ended;
 * may be repeated. Rejects with 409 if its changes need no confirmation.
 */
export async function confirmOperation(context: RecordContext, caller: Caller, operationId: string) {
  const { db } = context
  const { id, outcome } = await context.operations.require(caller, operationId)
  if (outcome === null)
    throw conflict('This operation is still running; confirm it when it has ended', {
      reason: 'change_unsettled',
    })
  await startClocks(db)
  const waiting = await confirmationsOf(db, id)
  if (waiting.length === 0)
    throw conflict('The changes of this operation need no confirmation', {
      reason: 'not_unconfirmed',
      params: { status: 'none' },
    })
  const left: { domainId: string; changeId: string; code: string; detail: string }[] = []
  let confirmed = 0
  let hidden = 0
  for (const { change_id: changeId, domain_id: domainId } of waiting.filter(isOpen)) {
    try {
      await db.transaction().execute((trx) => confirmOne(trx, caller, domainId, changeId))
      confirmed++
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { status, code, extra, message: detail } = error
      const { reason } = extra
      if (status === 404) hidden++
      else left.push({ domainId, changeId, code: typeof reason === 'string' ? reason : code, detail })
    }
  }
  return { confirmed, left: left.slice(0, MAX_LEFT), leftCount: left.length, hidden }
}

/** Whether the outcome of the change or its confirmation is still open. */
const isOpen = ({ status }: Pick<ConfirmationRow, 'status'>) =>
  status === 'waiting' || status === 'unconfirmed'
