import { absoluteName, relativeName } from '../../../../dns/names/names.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { UnmanagedRecord, Zone } from '../../contract.ts'
import type { Creation } from '../../shared/bulk-records.ts'
import type { HeldRecord, PlannedRecord } from '../../shared/edited-records.ts'
import { joinData, PRIORITY, splitData } from '../../shared/split-data.ts'
import type { RawRecord } from './client.ts'

/** A canonical value in IONOS' words; text as master files have it. */
function writeContent(type: RecordType, value: string): { content: string; prio?: number } {
  if (type === 'TXT') return { content: typeOf('TXT').write(value) }
  const { data, priority } = splitData(type, value, PRIORITY)
  return { content: data, ...(priority !== undefined && { prio: priority }) }
}

/** The canonical value; null when it is none of that type. */
function readContent(type: RecordType, { content, prio }: RawRecord, zone: Zone): string | null {
  // In quotes it is what a zone file has, else the text itself.
  if (type === 'TXT' && /^".*"$/s.test(content)) return typeOf('TXT').read(content)
  return joinData(type, { data: content, priority: prio }, PRIORITY, zone.name)
}

/** What is sent of a record that is made. */
export const writeNew = ({ edit: { name, type }, record: { member, ttl } }: Creation, zone: Zone) => ({
  name: absoluteName(name, zone.name),
  type,
  ...writeContent(type, member.value),
  ttl,
  disabled: member.disabled === true,
})

/** What is sent of one that is changed; its value as it is spelled there, where that is the same. */
export function writeChange(
  type: RecordType,
  { member, ttl }: PlannedRecord,
  raw: RawRecord | undefined,
  zone: Zone,
) {
  const isSame = raw !== undefined && readContent(type, raw, zone) === member.value
  const content = isSame ? { content: raw.content, prio: raw.prio ?? 0 } : writeContent(type, member.value)
  return { ...content, ttl, disabled: member.disabled === true }
}

/** The record as ours, or as one that is not managed; null for the SOA. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const absolute = readName(raw.name)
  const name = absolute === null ? null : relativeName(absolute, zone.name)
  if (name === null || raw.type === 'SOA') return null
  const { id, ttl } = raw
  const type = readType(raw.type)
  const value = type === null ? null : readContent(type, raw, zone)
  if (type === null || value === null) return { name, type: raw.type, ttl, value: raw.content }
  return { id, name, type, ttl, member: { value, ...(raw.disabled === true && { disabled: true }) } }
}
