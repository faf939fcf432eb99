import { readType, type RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord } from '../../shared/edited-records.ts'
import { joinData, PRIORITY, splitData, type SplitData } from '../../shared/split-data.ts'
import type { RawRecord } from './client.ts'

/** A canonical value in Vultr's words; a TXT is one string, in quotes without escapes. */
export function writeData(type: RecordType, value: string): SplitData {
  const split = splitData(type, value, PRIORITY)
  return type === 'TXT' ? { data: `"${split.data}"` } : split
}

/** The record as ours, or as one that is not managed; null for the SOA and for other zones'. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const name = readOwner(raw.name, zone.name)
  if (name === null || raw.type === 'SOA') return null
  const { id, ttl, data } = raw
  const type = readType(raw.type)
  const [, text = data] = /^"(.*)"$/s.exec(data) ?? []
  const held = type === 'TXT' ? { data: text } : raw
  const value = type === null ? null : joinData(type, held, PRIORITY, zone.name)
  if (type === null || value === null) return { name, type: raw.type, ttl, value: data }
  return { id, name, type, ttl, member: { value } }
}
