const padded = (value: number, digits = 2) => String(value).padStart(digits, '0')

/** Local date input of a time (ISO 8601, null: none): `2026-11-22T09:30`, or the date alone. */
export function dateText(moment: string | null, withTime: boolean): string {
  if (moment === null) return ''
  const date = new Date(moment)
  const day = `${padded(date.getFullYear(), 4)}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`
  return withTime ? `${day}T${padded(date.getHours())}:${padded(date.getMinutes())}` : day
}

/**
 * UTC time of such an input; null if empty. A date alone keeps the time of day of `before`, else it starts at midnight.
 */
export function momentOfText(text: string, before: string | null): string | null {
  if (text === '') return null
  const hasTime = text.includes('T')
  // A date alone would be parsed as UTC.
  const date = new Date(hasTime ? text : `${text}T00:00`)
  if (!hasTime && before !== null) {
    const kept = new Date(before)
    date.setHours(kept.getHours(), kept.getMinutes(), kept.getSeconds(), kept.getMilliseconds())
  }
  return date.toISOString()
}
const DAY_MS = 86_400_000

/** Calendar days in UTC until a time, as the service counts them; negative for past times. */
export const daysUntil = (iso: string, now = Date.now()): number =>
  Math.floor(Date.parse(iso) / DAY_MS) - Math.floor(now / DAY_MS)
