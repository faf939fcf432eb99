import type { Routing } from '../../../../dns/names/rrset.ts'
import { readType, type RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { Member, RRsetEdit, UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord, PlannedRecord } from '../../shared/edited-records.ts'
import { isObject } from '../../client/json.ts'
import { joinData, splitData } from '../../shared/split-data.ts'
import type { RawRecord } from './client.ts'

const DEFAULT_LINE = 'default'
/** Counts where weights are switched on for the set. */
const DEFAULT_WEIGHT = 1

/** All of a value is in one field. */
const WHOLE = {}

const routingOf = (line: string): Routing | null => (line === DEFAULT_LINE ? null : { key: line, line })

/** What is sent of a record. A value that stays does so to the letter. */
export function writeRecord(
  { name, type, routing }: RRsetEdit,
  { member, ttl }: PlannedRecord,
  raw: RawRecord | undefined,
  zone: Zone,
) {
  const { value, comment = '', extra } = member
  const isSame = raw !== undefined && readContent(type, raw, zone) === value
  return {
    Host: name,
    Type: type,
    Line: routing?.key ?? DEFAULT_LINE,
    Value: isSame ? raw.Value : splitData(type, value, WHOLE).data,
    TTL: ttl,
    Weight: isObject(extra) ? extra['Weight'] : DEFAULT_WEIGHT,
    Remark: comment,
  }
}

const readContent = (type: RecordType, { Value: data }: RawRecord, zone: Zone): string | null =>
  joinData(type, { data }, WHOLE, zone.name)

/** The record as ours, or as one that is not managed; null for the SOA and for other zones'. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const name = readOwner(raw.Host, zone.name)
  if (name === null || raw.Type === 'SOA') return null
  const type = readType(raw.Type)
  const value = type === null ? null : readContent(type, raw, zone)
  if (type === null || value === null) return { name, type: raw.Type, ttl: raw.TTL, value: raw.Value }
  const weight = raw.Weight ?? DEFAULT_WEIGHT
  const member: Member = {
    value,
    ...(raw.Enable === false && { disabled: true }),
    comment: raw.Remark ?? '',
    ...(weight !== DEFAULT_WEIGHT && { extra: { Weight: weight } }),
  }
  return { id: raw.RecordID, name, type, routing: routingOf(raw.Line), ttl: raw.TTL, member }
}
