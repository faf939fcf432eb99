import type { DomainsTable } from '../../../db/tables/index.ts'

export const DAY_MS = 24 * 3600 * 1000

/** By the calendar, in UTC: a week ahead it is seven days all day long, none on the last, and less when it is past. */
export const daysBetween = (from: Date, to: Date): number =>
  Math.floor(to.getTime() / DAY_MS) - Math.floor(from.getTime() / DAY_MS)

/** Days before the expiry date from which a domain counts as expiring. */
export const leadTimeOf = (remindDays: number[]): number =>
  remindDays.length > 0 ? Math.max(...remindDays) : 30

/** The columns that follow from an expiry date; with a date, reminders are looked at once more. */
export function expiryColumns(
  expiresAt: Date | null,
  source: DomainsTable['expiry_source'],
  remindDays: number[],
) {
  return {
    expires_at: expiresAt,
    expiring_at: expiresAt && new Date(expiresAt.getTime() - leadTimeOf(remindDays) * DAY_MS),
    expiry_source: expiresAt && source,
    reminder_due_at: expiresAt && new Date(),
  }
}

/** Turning the automatic look-up on makes the first one due at once; turning it off leaves none. */
export const autoCheckColumns = (on: boolean) => ({
  auto_check_expiry: on,
  expiry_check_due_at: on ? new Date() : null,
})

/** Near its end, or while it is not known, a date may change any day. */
const NEAR_DAYS = 45
export const OFTEN_DAYS = 1
export const SELDOM_DAYS = 7
/** Spreads the look-ups of domains that came together. */
export const JITTER = 0.1

/** When to look a domain up again of which this date was found; undefined: the look-up failed. */
export function nextCheck(found: Date | null | undefined, now = Date.now()): Date {
  const far = found instanceof Date && found.getTime() - now > NEAR_DAYS * DAY_MS
  const days = far ? SELDOM_DAYS : OFTEN_DAYS
  return new Date(now + days * DAY_MS * (1 + Math.random() * JITTER))
}
