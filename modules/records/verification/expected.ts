import { absoluteName } from '../../../dns/names/names.ts'
import { rrsetKey, type RRsetKey } from '../../../dns/names/rrset.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { typeCode } from '../../../dns/wire/type-codes.ts'
import { splitLabels } from '../../../dns/wire/wire-name.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import type { HeldRecord, UnmanagedPlace } from './queries.ts'

/** What the name servers should answer for a name and type, by the stored records. */
export interface Expected {
  /** Relative to the zone. */
  name: string
  type: RecordType
  /** Absolute. */
  owner: string
  /** Canonical; empty: the RRset doesn't exist. */
  values: string[]
  /** RRsets of this type at wildcards above, which answer for names that do not exist (RFC 4592). */
  wildcards: string[][]
  /** The delegation at or above the name, absolute; null if the zone itself has the name. */
  cut: string | null
  /** The zone that is asked. */
  zone: string
}

/** The names whose records decide what is expected for these, see `expectedOf`. */
export function decidingNames(names: readonly string[]): string[] {
  const deciding = names.flatMap((name) => [
    name,
    ...namesAbove(name).flatMap((above) => [above, wildcardOf(above)]),
    wildcardOf('@'),
  ])
  return [...new Set(['@', ...deciding])]
}

/** The names above a relative one, up to but without the apex; the closest comes first. */
function namesAbove(name: string): string[] {
  if (name === '@') return []
  const labels = splitLabels(name)
  return labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'))
}

const wildcardOf = (name: string) => (name === '@' ? '*' : `*.${name}`)

/**
 * What is expected for these keys; leaves out those that can't be compared, because the provider decides the answer:
 * aliases, flattened CNAMEs, proxied and weighted records, and names below a DNAME.
 */
export function expectedOf(
  zone: string,
  keys: readonly RRsetKey[],
  held: readonly HeldRecord[],
  unmanaged: readonly UnmanagedPlace[],
): Expected[] {
  const byName = Map.groupBy(
    held.filter(({ enabled, deleting }) => enabled && !deleting),
    ({ name }) => name,
  )
  const has = (name: string, type: string) => (byName.get(name) ?? []).some((record) => record.type === type)
  const valuesOf = (name: string, type: string) =>
    (byName.get(name) ?? []).filter((record) => record.type === type).map(({ value }) => value)
  const unmanagedAt = Map.groupBy(unmanaged, ({ name }) => name)

  return keys.flatMap((key) => {
    const { name, type } = key
    const here = { key, held: byName.get(name) ?? [], unmanaged: unmanagedAt.get(name) ?? [] }
    const above = namesAbove(name)
    if (!isComparable(here) || above.some((ancestor) => has(ancestor, 'DNAME'))) return []
    // The delegation closest to the apex counts: what is below it is not in this zone.
    const cut = [name, ...above].findLast((ancestor) => ancestor !== '@' && has(ancestor, 'NS'))
    const wildcards = [...above, '@'].map((ancestor) => valuesOf(wildcardOf(ancestor), type))
    return {
      name,
      type: type as RecordType,
      owner: absoluteName(name, zone),
      values: valuesOf(name, type),
      wildcards: wildcards.filter((values) => values.length > 0),
      cut: cut === undefined ? null : absoluteName(cut, zone),
      zone,
    }
  })
}

/** Types that a proxy, an alias or a flattened CNAME answers in place of the stored records. */
const SYNTHESIZED: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'HTTPS', 'ALIAS', 'ANAME'])

function isComparable({
  key: { name, type },
  held,
  unmanaged,
}: {
  key: RRsetKey
  held: readonly HeldRecord[]
  unmanaged: readonly UnmanagedPlace[]
}): boolean {
  if (typeOf(type as RecordType).code === null) return false
  if (held.some(({ routing }) => routing !== null)) return false
  // Types without a number are features of the provider, such as redirections and scripts.
  if (unmanaged.some((other) => other.type === type || typeCode(other.type) === null)) return false
  if (!SYNTHESIZED.has(type)) return true
  return !held.some(
    (record) =>
      record.proxied ||
      typeOf(record.type).code === null ||
      // Elsewhere a CNAME is served as it is.
      (name === '@' && record.type === 'CNAME'),
  )
}

/** Whether two states expect the same answers. */
export const isSameExpectation = (a: readonly Expected[], b: readonly Expected[]): boolean =>
  JSON.stringify(a.map(comparedPart)) === JSON.stringify(b.map(comparedPart))

const comparedPart = ({ values, ...rest }: Expected) => [
  rrsetKey(rest),
  [...values].sort(),
  rest.cut,
  rest.wildcards,
]
