import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '../../../../db/tables/index.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { isObject } from '../../client/json.ts'
import type { Zone } from '../../contract.ts'
import type { RecordWrite } from '../../shared/records/by-id.ts'
import { emptyAtApex } from '../../shared/spelling/owner-names.ts'
import {
  joinCaa,
  joinData,
  NUMBERS,
  splitCaa,
  splitData,
  type Split,
} from '../../shared/spelling/split-data.ts'
import { KEPT, type RawRecord } from './client.ts'

/** Types by their numbers. Those that are not DNS types are features of bunny.net. */
const TYPES = 'A AAAA CNAME TXT MX Redirect Flatten PullZone SRV CAA PTR Script NS SVCB HTTPS TLSA'.split(' ')

const SPLIT: Split = { ...NUMBERS, SVCB: ['priority'], HTTPS: ['priority'] }

export const typeNameOf = ({ Type: type }: RawRecord): string =>
  typeof type === 'number' ? (TYPES[type] ?? `type ${type}`) : type

/** The fields for a canonical value. */
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

/** The canonical value; null: the data is not of that type. */
export function readValue(type: RecordType, raw: RawRecord, zone: Zone): string | null {
  const { Value: value, Priority: priority, Weight: weight, Port: port } = raw
  if (type === 'CAA') return joinCaa({ flags: raw.Flags ?? 0, tag: raw.Tag ?? '', text: value ?? '' })
  return joinData(type, { data: value ?? '', priority, weight, port }, SPLIT, zone.name)
}

/**
 * A record to send in full, because bunny.net may reset missing fields. An unchanged value keeps its
 * spelling.
 */
export function writeRecord({ name, type, ttl, value, member, raw, keepsValue }: RecordWrite<RawRecord>) {
  const { disabled = false, comment = '', extra } = member
  const { Value, Priority, Weight, Port, Flags, Tag } = raw ?? {}
  return {
    ...(raw && { ...keptOf(raw), Weight, Priority, Port, Flags, Tag }),
    ...(isObject(extra) && extra),
    Type: TYPES.indexOf(type),
    Name: emptyAtApex(name),
    ...(keepsValue ? { Value } : writeContent(type, value)),
    Ttl: ttl,
    Disabled: disabled,
    Comment: comment,
  }
}

const keptOf = (raw: RawRecord) =>
  Object.fromEntries(Object.entries(raw).filter(([field]) => Object.hasOwn(KEPT, field)))

/** Values of fields that are not set; certificates are issued by default. */
const PLAIN: unknown[] = [null, false, 0, '', 'None', []]

/** Settings that make bunny.net choose or monitor the answer. */
export function extraOf(raw: RawRecord, type: RecordType | null): JsonValue | null {
  const weight = ['A', 'AAAA', 'CNAME'].includes(type ?? '') ? (raw.Weight ?? 0) : 0
  const { AutoSslIssuance: _, ...kept } = keptOf(raw)
  const said = Object.entries(kept).filter(
    ([, value]) => !PLAIN.some((plain) => isDeepStrictEqual(plain, value)),
  )
  if (weight > 0 && weight !== FULL_WEIGHT) said.push(['Weight', weight])
  return said.length === 0 ? null : (Object.fromEntries(said) as JsonValue)
}

const FULL_WEIGHT = 100
