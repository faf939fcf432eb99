import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { deleteLongEnded as forgetConfirmations } from '../confirmation/queries.ts'
import { confirmationQueue, settleConfirmations } from '../confirmation/take-back.ts'
import type { RecordContext } from '../context.ts'
import { deleteLongEnded as forgetScheduled } from './queries.ts'
import { scheduledQueue, settleScheduled } from './scheduler.ts'

const SETTLE_SECONDS = 2
const UPKEEP_SECONDS = 3_600
const KEPT_DAYS = 400
/** The longest pause between two attempts. */
const SLACK_SECONDS = 600

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
  app.dueTimes.bound({
    table: 'scheduled_changes',
    column: 'due_at',
    longest: sql`greatest(extract(epoch from apply_at - now()), 0) + ${sql.lit(SLACK_SECONDS)}`,
  })
  const isWaiting = sql`status = 'unconfirmed'`
  app.dueTimes.bound({
    table: 'confirmations',
    column: 'confirm_by',
    longest: sql`minutes * 60`,
    where: isWaiting,
  })
  app.dueTimes.bound({
    table: 'confirmations',
    column: 'due_at',
    longest: sql`greatest(minutes * 60, ${sql.lit(SLACK_SECONDS)})`,
    where: isWaiting,
  })
}
