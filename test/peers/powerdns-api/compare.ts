import { isDeepStrictEqual } from 'node:util'

/** An answer of either server. */
export interface Answer {
  status: number
  /** Without parameters such as the charset; '' without a body. */
  type: string
  /** Read from JSON, else the text. */
  body: unknown
  text: string
}

/** A place in two answers at which they differ. */
export interface Difference {
  /** `status`, `type`, or a path such as `body.rrsets[www.example.com. A].ttl`. */
  where: string
  real: unknown
  ours: unknown
}

/** Stands where a member is missing. */
export const MISSING = Symbol('missing')

/** Where two answers differ, in the order of their members. What differs by nature (serials, times) counts only by its kind. */
export function differencesOf(real: Answer, ours: Answer): Difference[] {
  const found: Difference[] = []
  compare('status', real.status, ours.status, found)
  // The bodies of different outcomes tell nothing.
  if (real.status !== ours.status) return found
  compare('type', real.type, ours.type, found)
  compare('body', plain(real.body), plain(ours.body), found)
  return found
}

/** JSON without what its values say: where it has spaces, and the order of its members. */
export const spellingOf = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"(?=[,}\]])/g, '"…"').replace(/-?\d+(?=[,}])/g, '0')

type Members = Record<string, unknown>

function compare(where: string, real: unknown, ours: unknown, found: Difference[]): void {
  if (isDeepStrictEqual(real, ours)) return
  // An empty list has no items that could be keyed.
  if (isEmpty(real) && isObject(ours)) return compare(where, {}, ours, found)
  if (isEmpty(ours) && isObject(real)) return compare(where, real, {}, found)
  if (!isObject(real) || !isObject(ours)) {
    found.push({ where, real, ours })
    return
  }
  for (const key of new Set([...Object.keys(real), ...Object.keys(ours)])) {
    const [there, here] = [real, ours].map((members) =>
      Object.hasOwn(members, key) ? members[key] : MISSING,
    )
    const isItem = key.startsWith('[')
    compare(isItem ? where + key : `${where}.${key}`, there, here, found)
  }
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0

/** Lists become objects with a key for each item, because their order means nothing. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return plainList(value)
  if (typeof value === 'string' && value.includes('\tIN\t')) return linesOf(value)
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, natural(key, member, value)] as const)
  return Object.fromEntries(members.map(([key, member]) => [key, plain(member)]))
}

function plainList(items: unknown[]): unknown {
  if (!items.some(isObject)) return [...items].map(String).sort()
  const keyed: Members = {}
  for (const item of items) {
    const { name, type, content, kind, object_type } = item as Members
    const parts =
      type === 'Cryptokey'
        ? [type]
        : [object_type, name ?? kind, type, name === undefined ? content : undefined]
    const key = `[${parts.filter((part) => typeof part === 'string').join(' ')}]`
    // Items that can't be told apart stay beside each other.
    keyed[Object.hasOwn(keyed, key) ? `${key}+` : key] = plain(item)
  }
  return keyed
}

/** The lines of a zone file, in the order of the alphabet. */
const linesOf = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replace(/(\tIN\tSOA\t).*/, '$1<SOA>'))
    .sort()

/** What each DNSSEC key has of its own; its other members tell which kind it is. */
const OF_A_KEY = new Set(['id', 'dnskey', 'ds'])

const SERIALS = new Set(['serial', 'edited_serial', 'notified_serial'])

/** What stands for a value that the servers choose. */
function natural(key: string, value: unknown, { type }: Members): unknown {
  if (type === 'Cryptokey' && OF_A_KEY.has(key)) return Array.isArray(value) ? value.length : `<${key}>`
  if (SERIALS.has(key) && typeof value === 'number') return '<serial>'
  if (key === 'modified_at' && typeof value === 'number') return '<time>'
  if (key === 'records' && type === 'SOA' && Array.isArray(value)) return value.map(soaOf)
  return value
}

/** Their SOA comes from where the zone was created. */
const soaOf = (record: Members) => ({
  ...record,
  content: String(record['content']).split(' ').length === 7 ? '<SOA>' : record['content'],
})
