import { absoluteName, relativeName } from '../../../../dns/names/names.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { RRsetEdit, UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord } from '../../shared/edited-records.ts'
import { joinData, PRIORITY, splitData } from '../../shared/split-data.ts'
import type { RawRecord } from './client.ts'

/** What is sent of a record. */
export function writeRecord({ name, type }: RRsetEdit, value: string, ttl: number | null, zone: Zone) {
  const { data, priority = 0 } = splitData(type, value, PRIORITY)
  return {
    name: absoluteName(name, zone.name),
    type,
    // Only a target at the end of the simple types is without its final dot.
    content: type === 'NAPTR' ? typeOf(type).write(value) : data,
    prio: priority,
    ttl,
  }
}

/** The record as ours, or as one that is not managed; null for the SOA and for other zones'. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const absolute = readName(raw.name)
  const name = absolute === null ? null : relativeName(absolute, zone.name)
  if (name === null || raw.type === 'SOA') return null
  const [type, ttl] = [readType(raw.type), Number(raw.ttl)]
  const value = type === null ? null : readContent(type, raw, zone)
  if (type === null || value === null) return { name, type: raw.type, ttl, value: raw.content }
  return { id: String(raw.id), name, type, ttl, member: { value } }
}

const readContent = (type: RecordType, { content, prio }: RawRecord, zone: Zone): string | null =>
  joinData(type, { data: content, priority: Number(prio ?? 0) }, PRIORITY, zone.name)
