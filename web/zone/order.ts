/** Record fields that determine the order. */
export interface Placed {
  name: string
  recordType: string
  value: string
}

/** Types listed first within a name. */
const FIRST = ['SOA', 'NS', 'A', 'AAAA', 'CNAME', 'MX', 'TXT']
const RANK = new Map(FIRST.map((type, at) => [type, at]))

const keys = new Map<string, string>()

/** Sort key of a name for the order of RFC 4034 section 6.1, apex first. */
export function nameKey(name: string): string {
  let key = keys.get(name)
  if (key === undefined) {
    key = name === '@' ? '' : name.split('.').toReversed().join('\u0001')
    if (keys.size > 100_000) keys.clear()
    keys.set(name, key)
  }
  return key
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const rank = (type: string) => RANK.get(type) ?? FIRST.length

export const byName = (a: Placed, b: Placed): number => compare(nameKey(a.name), nameKey(b.name))

/** By name from the apex down, then type, then value. */
export const byDns = (a: Placed, b: Placed): number =>
  byName(a, b) ||
  rank(a.recordType) - rank(b.recordType) ||
  compare(a.recordType, b.recordType) ||
  compare(a.value, b.value)

export const byType = (a: Placed, b: Placed): number =>
  rank(a.recordType) - rank(b.recordType) || compare(a.recordType, b.recordType) || byDns(a, b)

export const byValue = (a: Placed, b: Placed): number => compare(a.value, b.value) || byDns(a, b)
