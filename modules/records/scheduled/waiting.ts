import type { FastifyInstance } from 'fastify'
import { CONFIRMATIONS_DUE, deleteLongEnded as forgetConfirmations } from '../confirmation/queries.ts'
import { confirmationQueue, settleConfirmations } from '../confirmation/take-back.ts'
import type { RecordContext } from '../context.ts'
import { deleteLongEnded as forgetScheduled, SCHEDULED_DUE } from './queries.ts'
import { scheduledQueue, settleScheduled } from './scheduler.ts'

const SETTLE_SECONDS = 2
const UPKEEP_SECONDS = 3_600
const KEPT_DAYS = 400

/** Begins to apply changes at their time, and to revert those that nobody confirms. */
export function changeLater(app: FastifyInstance, context: RecordContext): void {
  const { db } = context
  app.work.queue(scheduledQueue(context))
  app.work.queue(confirmationQueue(context))
  app.work.every(SETTLE_SECONDS, 'changes.settle', async () => {
    await settleScheduled(db)
    await settleConfirmations(context)
  })
  app.work.every(UPKEEP_SECONDS, 'later-changes.cleanup', async () => {
    await forgetScheduled(db, KEPT_DAYS)
    await forgetConfirmations(db, KEPT_DAYS)
  })
  // A clock that was ahead has stored times that are too late.
  for (const dueTime of [...SCHEDULED_DUE, ...CONFIRMATIONS_DUE]) app.dueTimes.bound(dueTime)
}
