/** A record as a change has it. */
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

/** Which RRset: all records of one name and type. */
export const setOf = ({ name, recordType }: Pick<DiffRecord, 'name' | 'recordType'>) =>
  `${name} ${recordType}`

/** Of each set that changes touch, the records that stay as they are: so that the set is seen whole. */
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

/** The set that a change belongs to in a list: that of what comes, else of what goes. */
export const placeOf = ({ before, after }: DiffChange): string => {
  const content = after ?? before
  return content ? setOf(content) : ''
}

const lineOf = (sign: string, { name, recordType, value, ttl }: DiffRecord) =>
  [sign, name, ...(ttl === null ? [] : [String(ttl)]), recordType, value].join(' ')

/** A diff as text: `-` and `+` before what goes and comes, a blank before what stays. */
export function diffText(
  changes: readonly DiffChange[],
  unchanged: ReadonlyMap<string, readonly DiffRecord[]>,
): string {
  // After the last of each set, that what stays is said once.
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
