import { relativeName } from '../../../../dns/names/names.ts'
import type { Routing } from '../../../../dns/names/rrset.ts'
import { readQuoted } from '../../../../dns/text/text.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText } from '../../../../dns/types/txt.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { Member, RRsetEdit, UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord, PlannedRecord } from '../../shared/edited-records.ts'
import type { RawRecord } from './client.ts'

const DEFAULT_LINE = { id: '0', name: '默认' }

/** Those whose first number stands in a field of its own. */
const WITH_PRIORITY: readonly RecordType[] = ['MX', 'HTTPS', 'SVCB']

/** A line of DNSPod's, by its id, and a weight that is one: 0 is none. */
function routingOf({ Line: name, LineId: id, Weight: weight }: RawRecord): Routing | null {
  const line = name ?? id
  if (weight) return { key: `${id}|${weight}`, line, weight }
  return id === DEFAULT_LINE.id ? null : { key: id, line }
}

/** In DNSPod's words; the default line has no routing. */
function writeRouting(routing: Routing | null | undefined) {
  const [id = '', weight] = (routing?.key ?? DEFAULT_LINE.id).split('|')
  return {
    RecordLine: routing?.line ?? DEFAULT_LINE.name,
    RecordLineId: id,
    ...(weight !== undefined && { Weight: Number(weight) }),
  }
}

/** A canonical value in DNSPod's words. */
function writeContent(type: RecordType, value: string): { Value: string; MX?: number } {
  const rdata = typeOf(type).write(value)
  if (type === 'TXT') return { Value: isPlain(value) ? value : rdata }
  if (!WITH_PRIORITY.includes(type)) return { Value: rdata }
  const [priority, ...rest] = rdata.split(' ')
  return { MX: Number(priority), Value: rest.join(' ') }
}

/** Held as it is; else in strings in quotes, as in zone files. */
const isPlain = (text: string): boolean => readQuoted(text) === null && text.trim() === text

/** The canonical value; null when it is none of that type. */
function readContent(type: RecordType, { Value: value, MX: priority }: RawRecord): string | null {
  if (type === 'TXT' && readQuoted(value) === null) return txtFromText(value)
  return typeOf(type).read(WITH_PRIORITY.includes(type) ? `${priority ?? ''} ${value}` : value)
}

/** What is sent of a record that is made. */
export const writeNew = ({ name, type, routing }: RRsetEdit, { member, ttl }: PlannedRecord) => ({
  SubDomain: name,
  RecordType: type,
  ...writeRouting(routing),
  ...writeContent(type, member.value),
  TTL: ttl,
})

/** The same with all that it has, and of one that is there; the value only where it is another, as it may be spelled otherwise. */
export function writeRecord(edit: RRsetEdit, record: PlannedRecord, raw: RawRecord | undefined) {
  const { member } = record
  return {
    ...writeNew(edit, record),
    ...(raw && readContent(edit.type, raw) === member.value && contentOf(raw)),
    Status: member.disabled === true ? 'DISABLE' : 'ENABLE',
    Remark: member.comment ?? '',
  }
}

const contentOf = ({ Type: type, Value, MX }: RawRecord) => ({
  Value,
  ...(WITH_PRIORITY.some((one) => one === type) && { MX }),
})

/** The record as ours, or as one that is not managed; null for the SOA. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const absolute = readName(raw.Name === '@' ? zone.name : `${raw.Name}.${zone.name}`)
  const name = absolute === null ? null : relativeName(absolute, zone.name)
  if (name === null || raw.Type === 'SOA') return null
  const type = readType(raw.Type)
  const value = type === null ? null : readContent(type, raw)
  if (type === null || value === null) return { name, type: raw.Type, ttl: raw.TTL, value: raw.Value }
  const member: Member = {
    value,
    ...(raw.Status.toUpperCase() === 'DISABLE' && { disabled: true }),
    comment: raw.Remark ?? '',
  }
  return { id: String(raw.RecordId), name, type, routing: routingOf(raw), ttl: raw.TTL, member }
}
