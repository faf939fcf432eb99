import { readType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { HeldRecord, PlannedRecord } from '../../shared/edited-records.ts'
import { joinData, splitData, type Split } from '../../shared/split-data.ts'
import type { RRsetEdit, UnmanagedRecord, Zone } from '../../contract.ts'
import type { RawRecord } from './client.ts'

const SPLIT: Split = { MX: ['priority'] }

/** What is sent of a record: one without id is made. */
export function writeRecord(
  { name, type }: Pick<RRsetEdit, 'name' | 'type'>,
  { write, held, member }: PlannedRecord,
) {
  const { data, priority = 0 } = splitData(type, member.value, SPLIT)
  return {
    ...(held !== null && { id: held.id }),
    hostname: name,
    type,
    priority: String(priority),
    destination: data,
    deleterecord: write === 'delete',
  }
}

/** The record as ours, or as one that is not managed. `ttl`: that of the zone, seconds. */
export function readRecord(raw: RawRecord, ttl: number, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const name = readOwner(raw.hostname, zone.name)
  if (name === null) return null
  const type = readType(raw.type)
  const data = { data: raw.destination, priority: Number(raw.priority ?? 0) }
  const value = type === null ? null : joinData(type, data, SPLIT, zone.name)
  if (type === null || value === null) return { name, type: raw.type, ttl, value: raw.destination }
  return { id: raw.id, name, type, ttl, member: { value } }
}
