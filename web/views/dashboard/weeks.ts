/** How many domains expire in a week, by status. */
export interface Week {
  /** Its Monday, ISO 8601. */
  week: string
  active: number
  expiring: number
  expired: number
}

export const STATUSES = ['expired', 'expiring', 'active'] as const

export const WEEK_MS = 7 * 86_400_000

export const sum = ({ active, expiring, expired }: Week): number => active + expiring + expired

/** A bar of the timeline: domains that expire within a period, by status. */
export interface Bar extends Week {
  /** ISO 8601; null: unbounded. */
  from: string | null
  to: string
}

/** Overdue ones first, if any, then one bar a week. */
export function barsOf(weeks: readonly Week[], overdue: number): Bar[] {
  const bars = weeks.map((week) => ({
    ...week,
    from: week.week,
    to: new Date(Date.parse(week.week) + WEEK_MS).toISOString(),
  }))
  const [first] = bars
  if (!first || overdue === 0) return bars
  const before = { week: first.week, active: 0, expiring: 0, expired: overdue, from: null, to: first.week }
  return [before, ...bars]
}
