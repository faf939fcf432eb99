import { relativeName } from '../../../../dns/names/names.ts'
import { readType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { Member, RRsetEdit, UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord } from '../../shared/edited-records.ts'
import { joinData, PRIORITY, splitData } from '../../shared/split-data.ts'
import type { RawRecord } from './client.ts'

/** What is sent of a record. Notes that are null stay as they are. */
export function writeRecord({ name, type }: RRsetEdit, { value, comment }: Member, ttl: number | null) {
  const { data, priority } = splitData(type, value, PRIORITY)
  return {
    name: name === '@' ? '' : name,
    type,
    content: data,
    ttl,
    ...(priority !== undefined && { prio: priority }),
    notes: comment ?? null,
  }
}

/** The record as ours, or as one that is not managed; null for the SOA and for other zones'. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const absolute = readName(raw.name)
  const name = absolute === null ? null : relativeName(absolute, zone.name)
  if (name === null || raw.type === 'SOA') return null
  const { id, content, prio, notes } = raw
  const [type, ttl] = [readType(raw.type), Number(raw.ttl)]
  const data = { data: content, priority: Number(prio ?? 0) }
  const value = type === null ? null : joinData(type, data, PRIORITY, zone.name)
  if (type === null || value === null) return { name, type: raw.type, ttl, value: content }
  return { id: String(id), name, type, ttl, member: { value, comment: notes ?? '' } }
}
