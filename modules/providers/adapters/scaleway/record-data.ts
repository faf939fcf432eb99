import type { JsonValue } from '../../../../db/tables/index.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText } from '../../../../dns/types/txt.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { RRsetEdit, UnmanagedRecord, Zone } from '../../contract.ts'
import { absolute, relativeTo } from '../../shared/edited-set.ts'
import type { HeldRecord, PlannedRecord } from '../../shared/edited-records.ts'
import { isObject } from '../../client/json.ts'
import type { RawRecord } from './client.ts'

/** What makes the answers of a record other than its data, which is for when these say nothing. */
const DYNAMIC = ['geo_ip_config', 'http_service_config', 'weighted_config', 'view_config'] as const

/** The name as Scaleway has it. */
export const writeOwner = (name: string): string => (name === '@' ? '' : name)

/** The canonical value; null when it is none of that type. */
function readContent(type: RecordType, { data, priority }: RawRecord, zone: Zone): string | null {
  // In quotes it is what a zone file has, else the text itself.
  if (type === 'TXT') return /^".*"$/s.test(data) ? typeOf(type).read(data) : txtFromText(data)
  const rdata = type === 'MX' && !/^\d+\s/.test(data) ? `${priority ?? 0} ${data}` : data
  return relativeTo(zone.name)(type).read(rdata)
}

/** What is sent of a record; its value only where it is another, as it may be spelled otherwise there. */
export function writeRecord(
  { name, type }: RRsetEdit,
  { member, ttl }: PlannedRecord,
  raw: RawRecord | undefined,
  zone: Zone,
) {
  const isSame = raw !== undefined && readContent(type, raw, zone) === member.value
  const data = isSame ? raw.data : absolute(type).write(member.value)
  const { comment, extra } = member
  return {
    name: writeOwner(name),
    type,
    data,
    ...(type === 'MX' && { priority: isSame ? (raw.priority ?? 0) : Number(data.split(' ')[0]) }),
    ...(ttl !== null && { ttl }),
    ...(comment !== undefined && { comment }),
    ...(isObject(extra) && extra),
  }
}

/** The record as ours, or as one that is not managed; null for the SOA. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const name = readOwner(raw.name, zone.name)
  if (name === null || raw.type === 'SOA') return null
  const type = readType(raw.type)
  const value = type === null ? null : readContent(type, raw, zone)
  if (type === null || value === null) return { name, type: raw.type, ttl: raw.ttl, value: raw.data }
  const dynamic = DYNAMIC.flatMap((field) => {
    const config = raw[field] ?? null
    return config === null ? [] : [[field, config as JsonValue] as const]
  })
  const extra = dynamic.length > 0 && { extra: Object.fromEntries(dynamic) }
  return { id: raw.id, name, type, ttl: raw.ttl, member: { value, comment: raw.comment ?? '', ...extra } }
}
