import { absoluteData } from '../../../../dns/zone-file/relative-data.ts'
import { readQuoted } from '../../../../dns/text/text.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText } from '../../../../dns/types/txt.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { Member, RRsetEdit, UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord, PlannedRecord } from '../../shared/edited-records.ts'
import { isObject } from '../../client/json.ts'
import type { RawRecord } from './client.ts'

/** Types of OVH's own, which are TXT in the DNS. */
const TEXTS = new Set(['SPF', 'DKIM', 'DMARC'])

/** The zone's. */
const DEFAULT_TTL = 0

const typeIn = ({ fieldType }: RawRecord): RecordType | null =>
  TEXTS.has(fieldType) ? 'TXT' : readType(fieldType)

/** The canonical value; null when it is none of that type. */
function readTarget(type: RecordType, target: string, zone: Zone): string | null {
  if (type === 'TXT') return readQuoted(target) === null ? txtFromText(target) : typeOf(type).read(target)
  return typeOf(type).read(absoluteData(type, target, zone.name))
}

/** What is sent of a record. Its value only where it is another, as it may be spelled otherwise there. */
export function writeRecord(
  zone: Zone,
  { name, type }: RRsetEdit,
  { member, ttl }: PlannedRecord,
  raw: RawRecord | undefined,
) {
  const isSame = raw !== undefined && readTarget(type, raw.target, zone) === member.value
  return {
    ...(raw === undefined && { fieldType: fieldTypeOf(type, member) }),
    subDomain: subDomainOf(name),
    target: isSame ? raw.target : typeOf(type).write(member.value),
    ttl: ttl ?? DEFAULT_TTL,
  }
}

export const subDomainOf = (name: string): string => (name === '@' ? '' : name)

/** That of OVH's own, where the record had one. */
function fieldTypeOf(type: RecordType, { extra }: Member): string {
  const own = isObject(extra) ? extra['fieldType'] : undefined
  return type === 'TXT' && typeof own === 'string' && TEXTS.has(own) ? own : type
}

/** The record as ours, or as one that is not managed; null for the SOA. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const name = readOwner(raw.subDomain ?? '', zone.name)
  if (name === null || raw.fieldType === 'SOA') return null
  const type = typeIn(raw)
  const value = type === null ? null : readTarget(type, raw.target, zone)
  const ttl = raw.ttl ?? DEFAULT_TTL
  if (type === null || value === null) return { name, type: raw.fieldType, ttl, value: raw.target }
  const member: Member = {
    value,
    ...(TEXTS.has(raw.fieldType) && { extra: { fieldType: raw.fieldType } }),
  }
  return { id: String(raw.id), name, type, ttl: ttl === DEFAULT_TTL ? null : ttl, member }
}
