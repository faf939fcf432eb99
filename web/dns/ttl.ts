/** Seconds of each unit, from large to small. */
const UNITS: [unit: string, seconds: number][] = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
]

const FACTORS: Record<string, number> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400, w: 604_800 }

/** What a provider says about TTLs, in seconds. */
export interface TtlLimits {
  minTtl: number
  maxTtl: number
  /** It takes these alone. */
  ttls?: readonly number[]
}

export const takesTtl = (ttl: number, { minTtl, maxTtl, ttls }: TtlLimits): boolean =>
  ttls && ttls.length > 0 ? ttls.includes(ttl) : ttl >= minTtl && ttl <= maxTtl

/** Seconds as people read them: `1 h`, `90 s`, `1 h 30 min`. */
export function showTtl(seconds: number): string {
  if (seconds < 60 || seconds % 60 !== 0) return `${seconds} s`
  const parts: string[] = []
  let rest = seconds
  for (const [unit, size] of UNITS) {
    // Weeks only where nothing is left: 8 d says more than 1 w 1 d.
    if (rest < size || (unit === 'w' && rest % size !== 0)) continue
    parts.push(`${Math.floor(rest / size)} ${unit}`)
    rest %= size
  }
  return parts.length > 2 ? `${seconds} s` : parts.join(' ')
}

/** Seconds of `300`, `5m`, `1h 30m`, `1 d`; null where it is none. An empty text is 0: the domain's default. */
export function readTtl(text: string): number | null {
  const given = text.trim().toLowerCase()
  if (given === '') return 0
  if (/^\d+$/.test(given)) return Number(given)
  const parts = [...given.matchAll(/(\d+)\s*(min|[smhdw])\s*/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== given) return null
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (FACTORS[unit ?? ''] ?? Number.NaN), 0)
}
