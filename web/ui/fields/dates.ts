const padded = (value: number, digits = 2) => String(value).padStart(digits, '0')

/** A moment (ISO 8601, null: none) as fields of dates take it, in the zone of the browser: `2026-11-22T09:30`, or the day alone. */
export function dateText(moment: string | null, withTime: boolean): string {
  if (moment === null) return ''
  const date = new Date(moment)
  const day = `${padded(date.getFullYear(), 4)}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`
  return withTime ? `${day}T${padded(date.getHours())}:${padded(date.getMinutes())}` : day
}

/**
 * What such a field says as a moment in UTC; null: nothing. A day alone has the time of day of the moment before, else it
 * begins at midnight.
 */
export function momentOfText(text: string, before: string | null): string | null {
  if (text === '') return null
  const hasTime = text.includes('T')
  // A day alone would be read as one of UTC.
  const date = new Date(hasTime ? text : `${text}T00:00`)
  if (!hasTime && before !== null) {
    const kept = new Date(before)
    date.setHours(kept.getHours(), kept.getMinutes(), kept.getSeconds(), kept.getMilliseconds())
  }
  return date.toISOString()
}
const DAY_MS = 86_400_000

/** Days from now until a moment, by the calendar in UTC as the service counts them; of one that is past, less than 0. */
export const daysUntil = (iso: string, now = Date.now()): number =>
  Math.floor(Date.parse(iso) / DAY_MS) - Math.floor(now / DAY_MS)
