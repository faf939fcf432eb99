const DAY_MS = 86_400_000

/** Days from now until a moment, by the calendar in UTC as the service counts them; of one that is past, less than 0. */
export const daysUntil = (iso: string, now = Date.now()): number =>
  Math.floor(Date.parse(iso) / DAY_MS) - Math.floor(now / DAY_MS)
