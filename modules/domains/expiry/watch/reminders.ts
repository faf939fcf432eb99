import type { Kysely } from 'kysely'
import type { Database } from '../../../../db/tables/index.ts'
import { announceAll } from '../../../../plugins/events/outbox/announce.ts'
import { newEvent, type NewEvent } from '../../../../plugins/events/outbox/event.ts'
import { DAY_MS, daysBetween } from '../dates.ts'
import { insertReminders, lockDue, setDue, type DueDomain, type NewReminder } from './reminder-queries.ts'

interface ReminderContext {
  db: Kysely<Database>
}

/** The date itself, among the lead times. */
const EXPIRED = -1
const BATCH = 200

/**
 * Sends due reminders, each lead time of a date once across all instances: the event and the domain's next
 * due time are stored in one transaction.
 */
export async function sweepReminders(context: ReminderContext, signal?: AbortSignal): Promise<void> {
  for (;;) {
    if ((await emitDueReminders(context)) < BATCH || signal?.aborted) return
  }
}

/** Sends due reminders of some domains; returns how many were checked. */
function emitDueReminders({ db }: ReminderContext): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const domains = await lockDue(trx, BATCH)
    if (domains.length === 0) return 0
    const plans = domains.map((domain) => ({ id: domain.id, ...plan(domain) }))
    const reminders = plans.flatMap((noted) => noted.reminders)
    await insertReminders(trx, reminders)
    await setDue(trx, plans)
    const byId = new Map(domains.map((domain) => [domain.id, domain]))
    const told = reminders.filter(({ silent }) => !silent)
    await announceAll(
      trx,
      told.map(({ domainId, leadDays }) => toEvent(byId.get(domainId) as DueDomain, leadDays)),
    )
    return domains.length
  })
}

/**
 * Returns the reminders to record now and when the next is due. If several lead times passed together, as after
 * downtime, only the one nearest to the date is sent.
 */
function plan({ id, expires_at: expiresAt, expiry_remind_days: leads, passed, now }: DueDomain): {
  reminders: NewReminder[]
  next: Date | null
} {
  if (expiresAt === null) return { reminders: [], next: null }
  const note = (leadDays: number, silent: boolean): NewReminder => ({
    domainId: id,
    leadDays,
    silent,
  })
  if (expiresAt <= now) {
    return { reminders: passed.includes(EXPIRED) ? [] : [note(EXPIRED, false)], next: null }
  }
  const momentOf = (lead: number) => expiresAt.getTime() - lead * DAY_MS
  const reached = leads.filter((lead) => momentOf(lead) <= now.getTime())
  const nearest = Math.min(...reached)
  const reminders = reached
    .filter((lead) => !passed.includes(lead))
    // A longer lead time added later is not sent after a shorter one.
    .map((lead) => note(lead, lead !== nearest || passed.some((told) => told <= lead)))
  const later = leads.map(momentOf).filter((moment) => moment > now.getTime())
  return { reminders, next: new Date(Math.min(...later, expiresAt.getTime())) }
}

function toEvent({ id, name, expires_at, now }: DueDomain, leadDays: number): NewEvent {
  const expiresAt = expires_at as Date
  const metadata = { domainId: id, domainName: name, expiresAt: expiresAt.toISOString() }
  if (leadDays === EXPIRED) {
    return newEvent('domain.expired', {
      metadata: { ...metadata, daysLeft: 0, leadDays: null },
      actorId: null,
    })
  }
  const daysLeft = daysBetween(now, expiresAt)
  return newEvent('domain.expiring', { metadata: { ...metadata, daysLeft, leadDays }, actorId: null })
}
