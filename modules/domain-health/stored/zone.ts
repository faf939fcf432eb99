import { rrsetKey, type Routing } from '../../../dns/names/rrset.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import type { ChangeBody } from '../../records/service.ts'
import type { Finding } from '../checking/finding.ts'

/** A published record as stored. */
export interface StoredRecord {
  id: string
  version: number
  /** Relative to the zone. */
  name: string
  type: RecordType
  /** Canonical. */
  value: string
  /** Seconds; null: the provider chooses. */
  ttl: number | null
  proxied: boolean
  routing: Routing | null
}

/** The records of one name. */
export interface NodeOfZone {
  name: string
  records: readonly StoredRecord[]
}

/** What checks of single names need to know of the zone. */
export interface ZoneFacts {
  name: string
  /** It is registered at a registry, and not part of another registered domain. */
  isRegistrable: boolean
  /** Published records of the names in FACT_NAMES. */
  known: readonly StoredRecord[]
}

/** Names that say something about the whole zone. */
export const FACT_NAMES = ['@', '*', '_dmarc', 'mta-sts']

/** Checks one name of a zone, without asking anybody. */
export type NodeCheck = (node: NodeOfZone, zone: ZoneFacts) => Finding[]

/** Checks what concerns the zone as a whole, without asking anybody. */
export type ZoneCheck = (zone: ZoneFacts) => Finding[]

export const ofType = (records: readonly StoredRecord[], ...types: RecordType[]) =>
  records.filter(({ type }) => types.includes(type))

export const rrsetsOf = (records: readonly StoredRecord[]): StoredRecord[][] => [
  ...Map.groupBy(records, rrsetKey).values(),
]

const existing = ({ id, version }: StoredRecord) => ({ recordId: id, version })

export const deleteOf = (record: StoredRecord): ChangeBody => ({ action: 'delete', ...existing(record) })

export const updateOf = (record: StoredRecord, to: { value?: string; ttl?: number }): ChangeBody => ({
  action: 'update',
  ...existing(record),
  ...to,
})
