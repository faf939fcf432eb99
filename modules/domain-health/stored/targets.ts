import { relativeName } from '../../../dns/names/names.ts'
import { finding, type Finding } from '../checking/finding.ts'
import { deleteOf, rrsetsOf, type NodeOfZone, type StoredRecord } from './zone.ts'

/** Where a name of a record leads to. */
export interface Target {
  record: StoredRecord
  /** Full name. */
  host: string
}

const POINTING: ReadonlySet<string> = new Set(['CNAME', 'ALIAS', 'ANAME', 'MX', 'SRV', 'NS'])
/** Record types that lead to an address. */
const ADDRESSES: ReadonlySet<string> = new Set(['A', 'AAAA', 'CNAME', 'ALIAS', 'ANAME'])

/** The targets of records that name a host; "." is none. */
export const targetsOf = (records: readonly StoredRecord[]): Target[] =>
  records.flatMap((record) => {
    const host = POINTING.has(record.type) ? record.value.split(' ').at(-1) : undefined
    return host === undefined || host === '.' || host === '' ? [] : [{ record, host }]
  })

/** Types of the published records at names of a zone; without names that have none. */
export type TypesByName = ReadonlyMap<string, ReadonlySet<string>>

/** The names that decide whether a name of the zone exists: itself, those above it, and their wildcards. */
export function decidingNames(name: string): string[] {
  const above = namesAbove(name)
  return [name, ...above, ...above.map(wildcardOf)]
}

const namesAbove = (name: string): string[] => {
  if (name === '@') return []
  const labels = name.split('.')
  return [...labels.slice(1).map((_, i) => labels.slice(i + 1).join('.')), '@']
}
const wildcardOf = (name: string) => (name === '@' ? '*' : `*.${name}`)

/** Types at a name, by wildcard if it has no records of its own; null where another zone or a DNAME decides. */
function typesAt(name: string, zone: TypesByName): ReadonlySet<string> | null {
  const own = zone.get(name)
  if (name !== '@' && own?.has('NS') === true) return null
  const above = namesAbove(name)
  const cut = (other: string) =>
    (other !== '@' && zone.get(other)?.has('NS')) || zone.get(other)?.has('DNAME')
  if (above.some(cut)) return null
  if (own) return own
  // The closest name that exists decides which wildcard applies (RFC 4592 section 3.3.1).
  for (const closest of above) {
    const wild = zone.get(wildcardOf(closest))
    if (wild) return wild
    if (zone.has(closest)) break
  }
  return new Set()
}

/** Targets within the zone that do not exist, and mail servers there without an address. */
export function targetFindings({ records }: NodeOfZone, zoneName: string, zone: TypesByName): Finding[] {
  return rrsetsOf(records).flatMap((rrset) => {
    const judged = targetsOf(rrset).map((target) => ({
      ...target,
      problem: problemOf(target, zoneName, zone),
    }))
    const isSound = judged.some(({ problem }) => problem === null)
    return judged.flatMap(({ record, host, problem }) =>
      problem === null ? [] : [targetFinding(problem, record, host, isSound)],
    )
  })
}

type Problem = 'missing' | 'without_address'

function problemOf({ record, host }: Target, zoneName: string, zone: TypesByName): Problem | null {
  const name = relativeName(host, zoneName)
  if (name === null) return null
  const types = typesAt(name, zone)
  if (types === null) return null
  // The apex always has an SOA.
  if (types.size === 0 && name !== '@') return 'missing'
  if (record.type !== 'MX' || [...types].some((type) => ADDRESSES.has(type))) return null
  return 'without_address'
}

/** `isSound`: the RRset works without this record. */
function targetFinding(problem: Problem, record: StoredRecord, host: string, isSound: boolean): Finding {
  const { name, type } = record
  const about = { name, type, subject: host, params: { host } }
  const isAlias = type === 'CNAME' || type === 'ALIAS' || type === 'ANAME'
  const fix = (isAlias || isSound) && type !== 'NS' ? [deleteOf(record)] : null
  return problem === 'missing'
    ? finding({ ...about, code: 'target.missing', detail: `${host} does not exist.`, fix })
    : finding({ ...about, code: 'mail.mx_without_address', detail: `${host} has no address.`, fix })
}
