import { readTtl as readCompactTtl } from '../../dns/text/ttl.ts'

/** Seconds of each unit, largest first. */
const UNITS: [unit: string, seconds: number][] = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
]

/** TTL limits of a provider, in seconds. */
export interface TtlLimits {
  minTtl: number
  maxTtl: number
  /** The only accepted values. */
  ttls?: readonly number[]
}

export const takesTtl = (ttl: number, { minTtl, maxTtl, ttls }: TtlLimits): boolean =>
  ttls && ttls.length > 0 ? ttls.includes(ttl) : ttl >= minTtl && ttl <= maxTtl

/** Seconds for people: `1 h`, `90 s`, `1 h 30 min`. */
export function showTtl(seconds: number): string {
  if (seconds < 60 || seconds % 60 !== 0) return `${seconds} s`
  const parts: string[] = []
  let rest = seconds
  for (const [unit, size] of UNITS) {
    // Weeks only if they divide evenly: 8 d is clearer than 1 w 1 d.
    if (rest < size || (unit === 'w' && rest % size !== 0)) continue
    parts.push(`${Math.floor(rest / size)} ${unit}`)
    rest %= size
  }
  return parts.length > 2 ? `${seconds} s` : parts.join(' ')
}

/** Parses `300`, `5m`, `1h 30m`, `1 d`; null if invalid. Empty text is 0, the domain's default. */
export function readTtl(text: string): number | null {
  const given = text.trim().toLowerCase()
  if (given === '') return 0
  // Spaces may follow numbers and units, but not split a number.
  return /\d\s+\d/.test(given) ? null : readCompactTtl(given.replace(/min/g, 'm').replace(/\s+/g, ''))
}
