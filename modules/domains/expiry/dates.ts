import type { DomainsTable } from '../../../db/tables/index.ts'

export const DAY_MS = 24 * 3600 * 1000

/** Calendar days in UTC: 7 for a date a week ahead, 0 on the last day, negative afterwards. */
export const daysBetween = (from: Date, to: Date): number =>
  Math.floor(to.getTime() / DAY_MS) - Math.floor(from.getTime() / DAY_MS)

/** Days before the expiry date from which a domain counts as expiring. */
export const leadTimeOf = (remindDays: number[]): number =>
  remindDays.length > 0 ? Math.max(...remindDays) : 30

/** Columns derived from an expiry date; a date makes reminders due for a check. */
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

/** Interval near the expiry date, or while it is unknown. */
const NEAR_DAYS = 45
export const OFTEN_DAYS = 1
export const SELDOM_DAYS = 7
/** Spreads look-ups of domains registered at the same time. */
export const JITTER = 0.1

/** Returns the next look-up after this date was found; undefined: the look-up failed. */
export function nextCheck(found: Date | null | undefined, now = Date.now()): Date {
  const far = found instanceof Date && found.getTime() - now > NEAR_DAYS * DAY_MS
  const days = far ? SELDOM_DAYS : OFTEN_DAYS
  return new Date(now + days * DAY_MS * (1 + Math.random() * JITTER))
}
