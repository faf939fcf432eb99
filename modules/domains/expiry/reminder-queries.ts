import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'

export interface DueDomain {
  id: string
  name: string
  expires_at: Date | null
  expiry_remind_days: number[]
  /** Lead times that were dealt with for this very date; -1 is the date itself. */
  passed: number[]
  now: Date
}

/**
 * Domains of which a reminder may be due, held to the end of the transaction; those that somebody else
 * holds are left out, and come up again. Walks the index of what is due, in that order.
 */
export async function lockDue(trx: Executor, limit: number): Promise<DueDomain[]> {
  const { rows } = await sql<DueDomain>`
    with due as (
      select id, name, expires_at, expiry_remind_days from domains
      where reminder_due_at <= now() order by reminder_due_at limit ${limit}
      for no key update skip locked
    )
    select due.*, now(), array(
      select lead_days from expiry_reminders as told
      where told.domain_id = due.id and told.expires_at = due.expires_at
    ) as passed from due
  `.execute(trx)
  return rows
}

export interface NewReminder {
  domainId: string
  leadDays: number
  /** Nothing is said of it: a nearer one was passed at the same time. */
  silent: boolean
}

export async function insertReminders(trx: Executor, reminders: NewReminder[]): Promise<void> {
  if (reminders.length === 0) return
  // The date is the domain's own: it may be finer than the milliseconds that we see.
  await sql`
    insert into expiry_reminders (domain_id, expires_at, lead_days)
    select domains.id, domains.expires_at, noted.lead_days
    from unnest(
      ${reminders.map(({ domainId }) => domainId)}::uuid[], ${reminders.map(({ leadDays }) => leadDays)}::int[]
    ) as noted (domain_id, lead_days)
    join domains on domains.id = noted.domain_id
  `.execute(trx)
}

/** When each domain is to be looked at again; null: there is nothing more to come. */
export const setDue = (trx: Executor, dues: { id: string; next: Date | null }[]) =>
  sql`
    update domains set reminder_due_at = next.at
    from unnest(${dues.map(({ id }) => id)}::uuid[], ${dues.map(({ next }) => next)}::timestamptz[]) as next (id, at)
    where domains.id = next.id
  `.execute(trx)
