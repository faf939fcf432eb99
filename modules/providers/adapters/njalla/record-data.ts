import { readType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { UnmanagedRecord, RRsetEdit, Zone } from '../../contract.ts'
import type { HeldRecord } from '../../shared/edited-records.ts'
import { joinData, PRIORITY, splitData } from '../../shared/split-data.ts'
import type { RawRecord } from './client.ts'

/** What is sent of a record. */
export function writeRecord({ name, type }: RRsetEdit, value: string, ttl: number | null) {
  const { data, priority } = splitData(type, value, PRIORITY)
  return { name, type, content: data, ttl, ...(priority !== undefined && { prio: priority }) }
}

/** The record as ours, or as one that is not managed; null for other zones'. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const name = readOwner(raw.name, zone.name)
  if (name === null || raw.type === 'SOA') return null
  const { id, content, ttl, prio } = raw
  const type = readType(raw.type)
  const data = { data: content, priority: prio ?? 0 }
  const value = type === null ? null : joinData(type, data, PRIORITY, zone.name)
  if (type === null || value === null) return { name, type: raw.type, ttl, value: content }
  return { id: String(id), name, type, ttl, member: { value } }
}
