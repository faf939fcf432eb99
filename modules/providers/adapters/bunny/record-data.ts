import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../../../../db/tables/index.ts'
import { readType, type RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { Member, RRsetEdit, UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord, PlannedRecord } from '../../shared/edited-records.ts'
import { isObject } from '../../client/json.ts'
import { joinCaa, joinData, NUMBERS, splitCaa, splitData, type Split } from '../../shared/split-data.ts'
import { KEPT, type RawRecord } from './client.ts'

/** By their numbers; of those that are no types of DNS each is a thing of bunny.net's. */
const TYPES = 'A AAAA CNAME TXT MX Redirect Flatten PullZone SRV CAA PTR Script NS SVCB HTTPS TLSA'.split(' ')

const SPLIT: Split = { ...NUMBERS, SVCB: ['priority'], HTTPS: ['priority'] }

const typeNameOf = ({ Type: type }: RawRecord): string =>
  typeof type === 'number' ? (TYPES[type] ?? `type ${type}`) : type

/** A canonical value in bunny.net's words. */
function writeContent(type: RecordType, value: string) {
  if (type === 'CAA') {
    const { flags, tag, text } = splitCaa(value)
    return { Flags: flags, Tag: tag, Value: text }
  }
  const { data, priority, weight, port } = splitData(type, value, SPLIT)
  return {
    Value: data,
    ...(priority !== undefined && { Priority: priority }),
    ...(weight !== undefined && { Weight: weight }),
    ...(port !== undefined && { Port: port }),
  }
}

/** The canonical value; null when it is none of that type. */
function readContent(type: RecordType, raw: RawRecord, zone: Zone): string | null {
  const { Value: value, Priority: priority, Weight: weight, Port: port } = raw
  if (type === 'CAA') return joinCaa({ flags: raw.Flags ?? 0, tag: raw.Tag ?? '', text: value ?? '' })
  return joinData(type, { data: value ?? '', priority, weight, port }, SPLIT, zone.name)
}

/** What is sent of a record: all, as what is not said may be reset. What it says already stays as it is spelled. */
export function writeRecord(
  { name, type }: RRsetEdit,
  { member, ttl }: PlannedRecord,
  raw: RawRecord | undefined,
  zone: Zone,
) {
  const { value, disabled = false, comment = '', extra } = member
  const isSame = raw !== undefined && readContent(type, raw, zone) === value
  const { Value, Priority, Weight, Port, Flags, Tag } = raw ?? {}
  return {
    ...(raw && { ...keptOf(raw), Weight, Priority, Port, Flags, Tag }),
    ...(isObject(extra) && extra),
    Type: TYPES.indexOf(type),
    Name: name === '@' ? '' : name,
    ...(isSame ? { Value } : writeContent(type, value)),
    Ttl: ttl,
    Disabled: disabled,
    Comment: comment,
  }
}

const keptOf = (raw: RawRecord) =>
  Object.fromEntries(Object.entries(raw).filter(([field]) => Object.hasOwn(KEPT, field)))

/** The record as ours, or as one that is not managed. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const name = readOwner(raw.Name ?? '', zone.name)
  if (name === null) return null
  const type = readType(typeNameOf(raw))
  const value = type === null ? null : readContent(type, raw, zone)
  if (type === null || value === null)
    return { name, type: typeNameOf(raw), ttl: raw.Ttl, value: raw.Value || (raw.LinkName ?? '') }
  const extra = extraOf(raw, type)
  const member: Member = {
    value,
    ...(raw.Disabled === true && { disabled: true }),
    comment: raw.Comment ?? '',
    ...(extra !== null && { extra }),
  }
  return { id: String(raw.Id), name, type, ttl: raw.Ttl, member }
}

/** As a record is that nobody has said more of; certificates are asked for by default. */
const PLAIN: unknown[] = [null, false, 0, '', 'None', []]

/** How bunny.net chooses and watches the answer, where it does. */
function extraOf(raw: RawRecord, type: RecordType): JsonValue | null {
  const weight = ['A', 'AAAA', 'CNAME'].includes(type) ? (raw.Weight ?? 0) : 0
  const { AutoSslIssuance: _, ...kept } = keptOf(raw)
  const said = Object.entries(kept).filter(
    ([, value]) => !PLAIN.some((plain) => isDeepStrictEqual(plain, value)),
  )
  if (weight > 0 && weight !== FULL_WEIGHT) said.push(['Weight', weight])
  return said.length === 0 ? null : (Object.fromEntries(said) as JsonValue)
}

const FULL_WEIGHT = 100
