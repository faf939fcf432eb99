import { readType, type RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { RRsetEdit, UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord } from '../../shared/edited-records.ts'
import { splitService } from '../../shared/owner-names.ts'
import { joinCaa, joinData, NUMBERS, splitCaa, splitData } from '../../shared/split-data.ts'
import type { RawRecord } from './client.ts'

const DEFAULT_TTL = 0

/** What is sent of a record. */
export const writeRecord = ({ name, type }: RRsetEdit, value: string, ttl: number | null) => ({
  ...placeOf(name, type),
  ...contentOf(type, value),
  ttl_sec: ttl ?? DEFAULT_TTL,
})

/** An SRV has no name but its service and protocol, which are sent without underscores. */
function placeOf(name: string, type: RecordType) {
  const place = type === 'SRV' ? splitService(name) : null
  if (place === null) return { name: name === '@' ? '' : name }
  return { service: place.service.slice(1), protocol: place.protocol.slice(1) }
}

function contentOf(type: RecordType, value: string) {
  if (type === 'CAA') {
    const { tag, text } = splitCaa(value)
    return { tag, target: text }
  }
  const { data, ...numbers } = splitData(type, value, NUMBERS)
  return { ...numbers, target: isNullMx(type, data) ? '' : data }
}

/** That there is no mail is said by no target. */
const isNullMx = (type: RecordType, target: string): boolean => type === 'MX' && target === '.'

/** The record as ours, or as one that is not managed; null for the SOA and for other zones'. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const name = readOwner(raw.name, zone.name)
  if (name === null || raw.type === 'SOA') return null
  const type = readType(raw.type)
  const value = type === null ? null : readContent(type, raw, zone)
  if (type === null || value === null) return { name, type: raw.type, ttl: raw.ttl_sec, value: raw.target }
  const ttl = raw.ttl_sec === DEFAULT_TTL ? null : raw.ttl_sec
  return { id: String(raw.id), name, type, ttl, member: { value } }
}

/** The canonical value; null when it is none of that type. A CAA has no flags. */
function readContent(type: RecordType, { target, tag, ...numbers }: RawRecord, zone: Zone): string | null {
  if (type === 'CAA') return joinCaa({ flags: 0, tag: tag ?? '', text: target })
  const data = type === 'MX' && target === '' ? '.' : target
  return joinData(type, { ...numbers, data }, NUMBERS, zone.name)
}
