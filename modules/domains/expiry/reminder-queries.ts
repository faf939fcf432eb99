import { sql } from 'kysely'
import type { Executor } from '../../../db/connect.ts'

export interface DueDomain {
  id: string
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
      select id, expires_at, expiry_remind_days from domains
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
  eventId: string
  /** Nothing is said of it: a nearer one was passed at the same time. */
  silent: boolean
}

export async function insertReminders(trx: Executor, reminders: NewReminder[]): Promise<void> {
  if (reminders.length === 0) return
  // The date is the domain's own: it may be finer than the milliseconds that we see.
  await sql`
    insert into expiry_reminders (domain_id, expires_at, lead_days, event_id, announced_at)
    select domains.id, domains.expires_at, noted.lead_days, noted.event_id, case when noted.silent then now() end
    from unnest(
      ${reminders.map(({ domainId }) => domainId)}::uuid[], ${reminders.map(({ leadDays }) => leadDays)}::int[],
      ${reminders.map(({ eventId }) => eventId)}::uuid[], ${reminders.map(({ silent }) => silent)}::boolean[]
    ) as noted (domain_id, lead_days, event_id, silent)
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

export interface OpenReminder {
  event_id: string
  domain_id: string
  name: string
  expires_at: Date
  lead_days: number
  /** The domain has another date by now: nothing to say any more. */
  moot: boolean
  now: Date
}

/** Takes reminders that nobody is saying at the moment; they are the caller's for so many seconds. */
export async function claimOpen(
  db: Executor,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<OpenReminder[]> {
  const { rows } = await sql<OpenReminder>`
    with open as (
      select domain_id, expires_at, lead_days from expiry_reminders
      where announced_at is null and lease_until <= now() order by lease_until limit ${limit}
      for update skip locked
    )
    update expiry_reminders as reminder set lease_until = now() + make_interval(secs => ${leaseSeconds})
    from open join domains on domains.id = open.domain_id
    where (reminder.domain_id, reminder.expires_at, reminder.lead_days)
      = (open.domain_id, open.expires_at, open.lead_days)
    returning reminder.event_id, reminder.domain_id, domains.name, reminder.expires_at, reminder.lead_days,
      domains.expires_at is distinct from reminder.expires_at as moot, now()
  `.execute(db)
  return rows
}

export const markAnnounced = (db: Executor, { domain_id, event_id }: OpenReminder) =>
  db
    .updateTable('expiry_reminders')
    .set({ announced_at: sql`now()` })
    .where('domain_id', '=', domain_id)
    .where('event_id', '=', event_id)
    .execute()
