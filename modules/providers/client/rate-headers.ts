import type { RateReport } from '../context.ts'

/** Larger values are seconds since 1970, not from now; the two ranges don't overlap. */
const EPOCH_SECONDS = 1e9
const EPOCH_MS = 1e12

type Headers = Record<string, string | undefined>

/**
 * Remaining calls and their period, from `RateLimit: "default";r=50;t=30` or `RateLimit: limit=…,
 * remaining=…, reset=…` (IETF drafts), RateLimit-Remaining and -Reset, or the same with `X-`. With several
 * limits, the scarcest; null without limits.
 */
export function rateOf(headers: Headers, now: number): RateReport | null {
  const listed = headers['ratelimit']
  if (listed !== undefined) return scarcest(listed)
  for (const prefix of ['ratelimit', 'x-ratelimit', 'x-rate-limit']) {
    const remaining = toNumber(headers[`${prefix}-remaining`])
    const reset = toNumber(headers[`${prefix}-reset`])
    if (remaining !== null && reset !== null) return { remaining, resetMs: fromNow(reset, now) }
  }
  return null
}

function scarcest(text: string): RateReport | null {
  const whole = /\bremaining\s*=/.test(text) ? [text] : text.split(',')
  const reports = whole.flatMap((item): RateReport[] => {
    const remaining = parameter(item, 'r(?:emaining)?')
    const reset = parameter(item, '(?:t|reset)')
    return remaining === null || reset === null ? [] : [{ remaining, resetMs: reset * 1000 }]
  })
  return reports.sort((a, b) => a.remaining - b.remaining || b.resetMs - a.resetMs)[0] ?? null
}

const parameter = (text: string, name: string): number | null =>
  toNumber(new RegExp(`(?:^|[;,\\s])${name}\\s*=\\s*(\\d+)`).exec(text)?.[1])

const fromNow = (reset: number, now: number): number => {
  if (reset < EPOCH_SECONDS) return reset * 1000
  return Math.max(0, (reset < EPOCH_MS ? reset * 1000 : reset) - now)
}

// Several limits in one header are separated by commas; the first one matters most.
const toNumber = (text: string | undefined): number | null => {
  const [, digits] = /^\s*(\d+)(?:\.\d+)?\s*(?:[,;]|$)/.exec(text ?? '') ?? []
  return digits === undefined ? null : Number(digits)
}
