import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Database } from '../../../db/tables.ts'
import type { EventBus } from '../../../plugins/events.ts'
import { DAY_MS } from './dates.ts'
import {
  claimOpen,
  insertReminders,
  lockDue,
  markAnnounced,
  setDue,
  type DueDomain,
  type NewReminder,
  type OpenReminder,
} from './reminder-queries.ts'

export interface ReminderContext {
  db: Kysely<Database>
  events: EventBus
  log: FastifyBaseLogger
}

/** The date itself, among the lead times. */
const EXPIRED = -1
const BATCH = 200
/** Who says a reminder has that long; then it is said again, with the same id. */
const LEASE_SECONDS = 60
const SPOKEN = 200

/**
 * Tells what is due, each lead time of a date once, on however many instances this runs. What is to be said
 * is written down with the domain's next moment in one transaction, and said after; what was not said to the
 * end, because an instance died or a listener failed, is said again a minute later under the same event id.
 */
export async function sweepReminders(context: ReminderContext, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const noted = await noteDue(context)
    const said = await announceSome(context)
    if ((noted < BATCH && said < SPOKEN) || signal?.aborted) return
  }
}

/** Writes down what is to be said of some domains; answers how many were looked at. */
function noteDue({ db }: ReminderContext): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const domains = await lockDue(trx, BATCH)
    if (domains.length === 0) return 0
    const plans = domains.map((domain) => ({ id: domain.id, ...plan(domain) }))
    const reminders = plans.flatMap((noted) => noted.reminders)
    await insertReminders(trx, reminders)
    await setDue(trx, plans)
    return domains.length
  })
}

/**
 * What is to be noted of a domain now, and when the next moment comes. Of several lead times that were passed
 * together, as after a day of downtime or when reminders are set late, only the nearest to the date is said.
 */
function plan({ id, expires_at: expiresAt, expiry_remind_days: leads, passed, now }: DueDomain): {
  reminders: NewReminder[]
  next: Date | null
} {
  if (expiresAt === null) return { reminders: [], next: null }
  const note = (leadDays: number, silent: boolean): NewReminder => ({
    domainId: id,
    leadDays,
    eventId: uuidv7(),
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
    // A longer lead time that was added later is no news after a shorter one was told.
    .map((lead) => note(lead, lead !== nearest || passed.some((told) => told <= lead)))
  const later = leads.map(momentOf).filter((moment) => moment > now.getTime())
  return { reminders, next: new Date(Math.min(...later, expiresAt.getTime())) }
}

/** Says some of what is noted; answers how many it took. */
async function announceSome({ db, events, log }: ReminderContext): Promise<number> {
  const open = await claimOpen(db, { limit: SPOKEN, leaseSeconds: LEASE_SECONDS })
  const end = performance.now() + LEASE_SECONDS * 500
  for (const reminder of open) {
    // Listeners are slow today: the rest is left, before another instance takes it from us.
    if (performance.now() > end) break
    try {
      if (!reminder.moot) await announce(events, reminder)
      await markAnnounced(db, reminder)
    } catch (error) {
      log.error({ err: error, domainId: reminder.domain_id }, 'a reminder was not told to the end')
    }
  }
  return open.length
}

async function announce(events: EventBus, reminder: OpenReminder): Promise<void> {
  const { domain_id: domainId, name: domainName, expires_at, lead_days, now } = reminder
  const metadata = { domainId, domainName, expiresAt: expires_at.toISOString() }
  if (lead_days === EXPIRED) {
    const expired = { ...metadata, daysLeft: 0, leadDays: null }
    await events.deliver('domain.expired', { metadata: expired, actorId: null }, reminder.event_id)
  } else {
    const expiring = { ...metadata, daysLeft: daysBetween(now, expires_at), leadDays: lead_days }
    await events.deliver('domain.expiring', { metadata: expiring, actorId: null }, reminder.event_id)
  }
}

/** By the calendar, in UTC: a week ahead it is seven days all day long, and none on the last. */
const daysBetween = (from: Date, to: Date) =>
  Math.max(0, Math.floor(to.getTime() / DAY_MS) - Math.floor(from.getTime() / DAY_MS))
