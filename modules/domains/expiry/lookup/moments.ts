/** Date conventions of a registry that the text alone doesn't show. */
export interface DateStyle {
  /** 03/02/2020 is the third of February. Without it, such ambiguous dates are not read. */
  dayFirst?: boolean
  /** UTC offset of times without a zone, in hours. Default 0. */
  offsetHours?: number
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TIME = String.raw`(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?`
/** Time zone names used by registries. */
const ZONES: Record<string, number> = { Z: 0, UTC: 0, GMT: 0, CLT: -4, CLST: -3 }
const ZONE = String.raw`\s*(Z|UTC|GMT|CLST|CLT|[+-]\d{2}(?::?\d{2})?)?`
const END = String.raw`\.?(?:\s*\(.*\))?$`

const form = (date: string) => new RegExp(`^${date}${TIME}${ZONE}${END}`, 'i')

const YEAR_FIRST = form(String.raw`(\d{4})(?:-|\/|\.\s?)(\d{1,2})(?:-|\/|\.\s?)(\d{1,2})\.?`)
const COMPACT = form(String.raw`(\d{4})(\d{2})(\d{2})`)
const DAY_FIRST = form(String.raw`(\d{1,2})[./-](\d{1,2})[./-](\d{4})`)
const DAY_MONTH_NAME = form(String.raw`(\d{1,2})[ -]([a-z]{3})[a-z]*[ -](\d{4})`)
const YEAR_MONTH_NAME = form(String.raw`(\d{4})-([a-z]{3})[a-z]*-(\d{1,2})`)
/** The format of C's ctime. */
const CTIME =
  /^(?:[a-z]{3},?\s+)?([a-z]{3})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(?:UTC\s+|GMT\s+)?(\d{4})\.?$/i

/** Longest date text; bounds the work of the patterns. */
const MAX_LENGTH = 100

/** Range of plausible expiry years. */
const YEARS = { from: 1985, to: 2200 }

/** Parses a registry's date; null if it is not a date or ambiguous. Days begin in UTC. */
export function parseMoment(
  text: string,
  { dayFirst = false, offsetHours = 0 }: DateStyle = {},
): Date | null {
  const value = text.trim().slice(0, MAX_LENGTH)
  const named = (name = '') => MONTHS.indexOf(name.toLowerCase()) + 1
  let match = YEAR_FIRST.exec(value) ?? COMPACT.exec(value)
  if (match) return moment(match[1], match[2], match[3], match.slice(4), offsetHours)
  match = DAY_MONTH_NAME.exec(value)
  if (match) return moment(match[3], named(match[2]), match[1], match.slice(4), offsetHours)
  match = YEAR_MONTH_NAME.exec(value)
  if (match) return moment(match[1], named(match[2]), match[3], match.slice(4), offsetHours)
  match = CTIME.exec(value)
  if (match) return moment(match[6], named(match[1]), match[2], match.slice(3, 6), offsetHours)
  match = dayFirst ? DAY_FIRST.exec(value) : null
  return match && moment(match[3], match[2], match[1], match.slice(4), offsetHours)
}

function moment(
  yearText: string | undefined,
  monthText: string | number | undefined,
  dayText: string | undefined,
  [hour, minute, second, zone]: (string | undefined)[],
  offsetHours: number,
): Date | null {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)]
  const date = new Date(Date.UTC(year, month - 1, day))
  // Rejects 31 February, which would become a day in March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  if (year < YEARS.from || year > YEARS.to) return null
  // A day without a time is not shifted by the registry's zone.
  if (hour === undefined) return date
  const [h, m, s] = [Number(hour), Number(minute), Number(second ?? 0)]
  if (h > 24 || m > 59 || s > 60) return null
  return new Date(date.getTime() + ((h - aheadOf(zone, offsetHours)) * 3600 + m * 60 + s) * 1000)
}

/** Hours ahead of UTC. */
function aheadOf(zone: string | undefined, offsetHours: number): number {
  if (zone === undefined) return offsetHours
  const known = ZONES[zone.toUpperCase()]
  if (known !== undefined) return known
  const hours = Number(zone.slice(1, 3)) + Number(zone.slice(3).replace(':', '') || 0) / 60
  return zone.startsWith('-') ? -hours : hours
}
