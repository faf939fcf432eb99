import { readType, type RecordType } from '../../../../dns/types/index.ts'
import { readOwner, writeName } from '../../../../dns/wire/wire-name.ts'
import type { UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord } from '../../shared/edited-records.ts'
import { joinCaa, joinData, NUMBERS, splitCaa, splitData } from '../../shared/split-data.ts'
import type { RawRecord } from './client.ts'

/** What of a record says its value. */
type Content = Pick<RawRecord, 'data' | 'priority' | 'port' | 'weight' | 'flags' | 'tag'>

/** A canonical value in DigitalOcean's words: names absolute, a TXT as its bare text. */
export function writeContent(type: RecordType, value: string): Content {
  if (type === 'CAA') {
    const { flags, tag, text } = splitCaa(value)
    // As a name, whatever it is; it comes back without the dot.
    return { flags, tag, data: `${text}.` }
  }
  const split = splitData(type, value, NUMBERS)
  return isName(type) ? { ...split, data: writeName(split.data) } : split
}

const isName = (type: RecordType): boolean => ['CNAME', 'NS', 'MX', 'SRV'].includes(type)

/** The canonical value; null when it is none of that type. */
function readContent(type: RecordType, { data: given, flags, tag, ...numbers }: Content, zone: Zone) {
  const data = given ?? ''
  if (type === 'CAA') return joinCaa({ flags: flags ?? NaN, tag: tag ?? '', text: data })
  return joinData(type, { ...numbers, data }, NUMBERS, zone.name)
}

/** The record as ours, or as one that is not managed; null for the SOA. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const name = readOwner(raw.name, zone.name)
  if (name === null || raw.type === 'SOA') return null
  const type = readType(raw.type)
  const value = type === null ? null : readContent(type, raw, zone)
  if (type === null || value === null) return { name, type: raw.type, ttl: raw.ttl, value: raw.data ?? '' }
  return { id: String(raw.id), name, type, ttl: raw.ttl, member: { value } }
}
