import { relativeName } from '../../../../dns/names/names.ts'
import type { Routing } from '../../../../dns/names/rrset.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText, txtToText } from '../../../../dns/types/txt.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { Member, RRsetEdit, UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord, PlannedRecord } from '../../shared/edited-records.ts'
import type { RawRecord } from './client.ts'

const DEFAULT_LINE = 'default'

/** Those that end in a name, which has no final dot here. */
const WITH_NAME: ReadonlySet<RecordType> = new Set(['CNAME', 'NS', 'MX', 'SRV'])

/** A line of Alibaba's, by its code. */
const routingOf = (line: string): Routing | null => (line === DEFAULT_LINE ? null : { key: line, line })

/** A canonical value in Alibaba's words: a TXT as its bare text. */
function writeContent(type: RecordType, value: string): { Value: string; Priority?: number } {
  if (type === 'TXT') return { Value: txtToText(value) }
  const written = typeOf(type).write(value)
  const rdata = WITH_NAME.has(type) ? written.replace(/\.$/, '') : written
  if (type !== 'MX') return { Value: rdata }
  const [priority, host = ''] = rdata.split(' ')
  return { Value: host, Priority: Number(priority) }
}

/** The canonical value; null when it is none of that type. */
function readContent(type: RecordType, { Value: value, Priority: priority }: RawRecord): string | null {
  if (type === 'TXT') return txtFromText(value)
  return typeOf(type).read(type === 'MX' ? `${priority ?? ''} ${value}` : value)
}

/** What is sent of a record. Its value only where it is another, as it may be spelled otherwise there. */
export function writeRecord(
  { name, type, routing }: RRsetEdit,
  { member, ttl }: PlannedRecord,
  raw: RawRecord | undefined,
) {
  const isSame = raw !== undefined && readContent(type, raw) === member.value
  return {
    RR: name,
    Type: type,
    ...(isSame ? { Value: raw.Value, Priority: raw.Priority } : writeContent(type, member.value)),
    TTL: ttl ?? undefined,
    Line: routing?.key ?? DEFAULT_LINE,
  }
}

/** The record as ours, or as one that is not managed; null for the SOA. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const absolute = readName(raw.RR === '@' ? zone.name : `${raw.RR}.${zone.name}`)
  const name = absolute === null ? null : relativeName(absolute, zone.name)
  if (name === null || raw.Type === 'SOA') return null
  const type = readType(raw.Type)
  const value = type === null ? null : readContent(type, raw)
  if (type === null || value === null) return { name, type: raw.Type, ttl: raw.TTL, value: raw.Value }
  const member: Member = {
    value,
    ...(raw.Status.toUpperCase() === 'DISABLE' && { disabled: true }),
    comment: raw.Remark ?? '',
    ...extraOf(raw),
  }
  return { id: raw.RecordId, name, type, routing: routingOf(raw.Line), ttl: raw.TTL, member }
}

/** What is changed at Alibaba Cloud alone, and stays with the record. */
function extraOf({ Locked: locked, LbaStatus: counts, Weight: weight }: RawRecord): Pick<Member, 'extra'> {
  const extra = {
    ...(locked === true && { locked }),
    ...(counts === true && weight !== undefined && { weight }),
  }
  return Object.keys(extra).length === 0 ? {} : { extra }
}
