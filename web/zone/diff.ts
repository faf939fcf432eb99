import { nameKey } from './order.ts'

export interface DiffRecord {
  name: string
  recordType: string
  value: string
  ttl: number | null
}

export interface DiffChange<C extends DiffRecord = DiffRecord> {
  before: C | null
  after: C | null
}

/** Key of the RRset of a record. */
export const setOf = ({ name, recordType }: Pick<DiffRecord, 'name' | 'recordType'>) =>
  `${name} ${recordType}`

/** Unchanged records of each RRset that the changes touch, to show the RRset in full. */
export function unchangedOf<C extends DiffRecord>(
  records: readonly C[],
  changes: readonly DiffChange[],
): Map<string, C[]> {
  const touched = new Map<string, Set<string>>()
  for (const { before, after } of changes) {
    for (const content of [before, after]) if (content) touched.set(setOf(content), new Set())
  }
  for (const { before } of changes) if (before) touched.get(setOf(before))?.add(before.value)
  const unchanged = new Map<string, C[]>()
  for (const record of records) {
    const set = setOf(record)
    const values = touched.get(set)
    if (!values || values.has(record.value)) continue
    unchanged.set(set, [...(unchanged.get(set) ?? []), record])
  }
  return unchanged
}

/** RRset under which a change is listed: the new one, else the old one. */
export const placeOf = ({ before, after }: DiffChange): string => {
  const content = after ?? before
  return content ? setOf(content) : ''
}

const lineOf = (sign: string, { name, recordType, value, ttl }: DiffRecord) =>
  [sign, name, ...(ttl === null ? [] : [String(ttl)]), recordType, value].join(' ')

/** Diff as text: `-` before deleted, `+` before added, a space before unchanged records. */
export function diffText(
  changes: readonly DiffChange[],
  unchanged: ReadonlyMap<string, readonly DiffRecord[]>,
): string {
  // Unchanged records follow the last change of their RRset.
  const lastOf = new Map(changes.map((change, at) => [placeOf(change), at]))
  const lines = changes.flatMap((change, at) => {
    const { before, after } = change
    const place = placeOf(change)
    return [
      ...(before ? [lineOf('-', before)] : []),
      ...(after ? [lineOf('+', after)] : []),
      ...(lastOf.get(place) === at
        ? (unchanged.get(place) ?? []).map((content) => lineOf(' ', content))
        : []),
    ]
  })
  return `${lines.join('\n')}\n`
}

/** Changes of a plan that another one, of an earlier revision, does not have. New records get another id in each plan. */
export function changesOnlyIn<C extends DiffRecord>(
  plan: readonly DiffChange<C>[],
  other: readonly DiffChange<C>[],
): DiffChange<C>[] {
  const keyOf = ({ before, after }: DiffChange<C>) => JSON.stringify([before, after])
  const known = new Set(other.map(keyOf))
  return plan.filter((change) => !known.has(keyOf(change)))
}

/** Changes by the name they are listed under, in the order of the names. */
export function byName<C extends DiffChange>(changes: readonly C[]): [name: string, changes: C[]][] {
  const nameOf = ({ before, after }: C) => (after ?? before)?.name ?? ''
  return [...Map.groupBy(changes, nameOf)].toSorted(([a], [b]) => (nameKey(a) < nameKey(b) ? -1 : 1))
}
