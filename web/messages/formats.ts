/** Formats for numbers, dates and lists in a language, by `Intl`. */
export interface Formats {
  number: (value: number) => string
  /** A day: `Nov 22, 2026`. */
  day: (iso: string) => string
  /** Date and time in the browser's time zone. */
  moment: (iso: string) => string
  /** The same in UTC, for tooltips. */
  utc: (iso: string) => string
  /** Name of the browser's time zone at a time, or now: `GMT+2`. */
  zone: (iso?: string) => string
  /** `3 minutes ago`, `in 2 days`. */
  ago: (iso: string, now?: number) => string
  /** Whole days from now: `in 12 days`. */
  days: (count: number) => string
  list: (items: readonly string[], type?: 'conjunction' | 'disjunction') => string
  percent: (part: number) => string
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export function formatsOf(locale: string): Formats {
  const numbers = new Intl.NumberFormat(locale)
  const percents = new Intl.NumberFormat(locale, { style: 'percent' })
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const zones = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const lists = {
    conjunction: new Intl.ListFormat(locale, { type: 'conjunction' }),
    disjunction: new Intl.ListFormat(locale, { type: 'disjunction' }),
  }
  return {
    number: (value) => numbers.format(value),
    percent: (part) => percents.format(part),
    day: (iso) => days.format(new Date(iso)),
    moment: (iso) => moments.format(new Date(iso)),
    utc: (iso) =>
      new Date(iso)
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z/, ' UTC'),
    zone: (iso) =>
      zones
        .formatToParts(iso === undefined ? Date.now() : new Date(iso))
        .find(({ type }) => type === 'timeZoneName')?.value ?? '',
    ago(iso, now = Date.now()) {
      const seconds = (Date.parse(iso) - now) / 1000
      const step = STEPS.find(([, size]) => Math.abs(seconds) >= size)
      return step ? relative.format(Math.trunc(seconds / step[1]), step[0]) : relative.format(0, 'second')
    },
    days: (count) => relative.format(count, 'day'),
    list: (items, type = 'conjunction') => lists[type].format(items),
  }
}

/** Chooses the plural form for a count; `other` is required. */
export type Plural = (count: number, forms: { one?: string; other: string }) => string

export function pluralOf(locale: string): Plural {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (count, forms) =>
    (rules.select(count) === 'one' ? (forms.one ?? forms.other) : forms.other).replace(
      '#',
      numbers.format(count),
    )
}
