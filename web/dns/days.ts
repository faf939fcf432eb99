const DAY_MS = 86_400_000

/** Whole days from now until a moment; of one that is past, less than 0. */
export const daysUntil = (iso: string, now = Date.now()): number =>
  Math.floor((Date.parse(iso) - now) / DAY_MS)
