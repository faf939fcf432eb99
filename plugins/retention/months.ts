/** A month in UTC: from its first moment until before the first of the next. */
export interface Month {
  from: Date
  to: Date
}

/** The month as `2026-11`. */
export const monthOf = (date: Date): string => date.toISOString().slice(0, 7)

/** The limits of a month given as `2026-11`. */
export function limitsOf(month: string): Month {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return { from: new Date(Date.UTC(year, number - 1)), to: new Date(Date.UTC(year, number)) }
}
