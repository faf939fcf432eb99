import { sql } from 'kysely'
import type { Executor } from '../../../../db/connection/connect.ts'

export interface DueDomain {
  id: string
  name: string
  expires_at: Date | null
  expiry_remind_days: number[]
  /** Lead times already handled for this date; -1 is the date itself. */
  passed: number[]
  now: Date
}

/**
 * Locks domains with a reminder that may be due, in due order; skips those locked by others, which stay due.
 */
export const lockDue = (trx: Executor, limit: number): Promise<DueDomain[]> =>
  trx
    .with('due', (cte) =>
      cte
        .selectFrom('domains')
        .select(['id', 'name', 'expires_at', 'expiry_remind_days'])
        .where('reminder_due_at', '<=', sql<Date>`now()`)
        .orderBy('reminder_due_at')
        .limit(limit)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .selectFrom('due')
    .selectAll()
    .select([
      sql<Date>`now()`.as('now'),
      sql<number[]>`array(
        select lead_days from expiry_reminders as told
        where told.domain_id = due.id and told.expires_at = due.expires_at
      )`.as('passed'),
    ])
    .execute()

export interface NewReminder {
  domainId: string
  leadDays: number
  /** No reminder is sent, because a nearer lead time passed at the same time. */
  silent: boolean
}

export async function insertReminders(trx: Executor, reminders: NewReminder[]): Promise<void> {
  if (reminders.length === 0) return
  const noted = sql<{ domain_id: string; lead_days: number }>`unnest(
    ${reminders.map(({ domainId }) => domainId)}::uuid[], ${reminders.map(({ leadDays }) => leadDays)}::int[]
  )`.as<'noted'>(sql`noted (domain_id, lead_days)`)
  // Copies the stored date, which may be more precise than milliseconds.
  await trx
    .insertInto('expiry_reminders')
    .columns(['domain_id', 'expires_at', 'lead_days'])
    .expression((eb) =>
      eb
        .selectFrom(noted)
        .innerJoin('domains', 'domains.id', 'noted.domain_id')
        .select(['domains.id', 'domains.expires_at', 'noted.lead_days']),
    )
    .execute()
}

/** Sets when each domain is checked next; null: never. */
export function setDue(trx: Executor, dues: { id: string; next: Date | null }[]) {
  const next = sql<{ id: string; at: Date | null }>`unnest(
    ${dues.map(({ id }) => id)}::uuid[], ${dues.map(({ next }) => next)}::timestamptz[]
  )`.as<'next'>(sql`next (id, at)`)
  return trx
    .updateTable('domains')
    .from(next)
    .set((eb) => ({ reminder_due_at: eb.ref('next.at') }))
    .whereRef('domains.id', '=', 'next.id')
    .execute()
}
