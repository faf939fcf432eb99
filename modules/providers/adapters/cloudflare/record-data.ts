import { Type, type Static } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText } from '../../../../dns/types/txt.ts'
import type { JsonValue } from '../../../../db/tables/index.ts'
import type { Member, Zone } from '../../contract.ts'
import type { RecordWrite } from '../../shared/records/by-id.ts'
import {
  joinFields,
  namesIn,
  splitFields,
  withoutDot,
  type FieldNames,
} from '../../shared/spelling/field-data.ts'
import { isObject } from '../../client/json.ts'

export const RawRecord = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.String(),
  content: Type.Optional(Type.String()),
  priority: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  data: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  proxied: Type.Optional(Type.Boolean()),
  /** 1: automatic. */
  ttl: Type.Integer(),
  settings: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
  comment: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  tags: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
})

export type RawRecord = Static<typeof RawRecord>

export const AUTOMATIC_TTL = 1

const TLSA = namesIn('usage selector matching_type certificate')
const BINDING = namesIn('priority target value')

/** The fields of `data`. */
const FIELDS: FieldNames = {
  SRV: namesIn('priority weight port target'),
  CAA: namesIn('flags tag value'),
  TLSA,
  SMIMEA: TLSA,
  SSHFP: namesIn('algorithm type fingerprint'),
  DS: namesIn('key_tag algorithm digest_type digest'),
  DNSKEY: namesIn('flags protocol algorithm public_key'),
  CERT: namesIn('type key_tag algorithm certificate'),
  NAPTR: namesIn('order preference flags service regex replacement'),
  SVCB: BINDING,
  HTTPS: BINDING,
  LOC: [
    ...namesIn('lat_degrees lat_minutes lat_seconds lat_direction'),
    ...namesIn('long_degrees long_minutes long_seconds long_direction'),
    ...namesIn('altitude size precision_horz precision_vert'),
  ],
  URI: namesIn('priority weight target'),
}

/** The fields that hold the value. */
type Content = Pick<RawRecord, 'content' | 'priority' | 'data'>

/** The fields for a canonical value. */
function writeContent(type: RecordType, value: string): Content {
  const fields = FIELDS[type]
  if (fields !== undefined) {
    const data = splitFields(type, value, fields)
    if (type !== 'URI') return { data }
    const { priority, ...others } = data
    return { priority: Number(priority), data: others }
  }
  const rdata = typeOf(type).write(value)
  if (type === 'MX') {
    const [priority, host = ''] = rdata.split(' ')
    return { priority: Number(priority), content: withoutDot(host) }
  }
  return { content: ['CNAME', 'NS', 'PTR'].includes(type) ? withoutDot(rdata) : rdata }
}

/** The canonical value; null: the data is not of that type. */
export function readValue(type: RecordType, { content = '', priority, data }: RawRecord): string | null {
  const fields = FIELDS[type]
  if (fields !== undefined) {
    // Some old records have their data in `content` only.
    if (!data) return typeOf(type).read(content)
    return joinFields(type, fields, (name) => data[name] ?? (name === 'priority' ? priority : undefined))
  }
  if (type === 'MX') return typeOf(type).read(`${priority ?? ''} ${content}`)
  // Quoted text is in zone file form, other text is plain.
  if (type === 'TXT' && !/^".*"$/s.test(content)) return txtFromText(content)
  return typeOf(type).read(content)
}

/** A record to create. */
export const writeNew = ({ name, type, value, member, ttl }: RecordWrite<RawRecord>, zone: Zone) => ({
  type,
  name: absoluteName(name, zone.name),
  ...writeContent(type, value),
  ...writeRest(member, ttl),
})

/** Changes to a record. An unchanged value is not sent, and keeps its spelling. */
export const writeChange = ({ type, value, member, ttl, keepsValue }: RecordWrite<RawRecord>) => ({
  ...(!keepsValue && writeContent(type, value)),
  ...writeRest(member, ttl),
})

const writeRest = ({ proxied, comment, extra }: Member, ttl: number | null) => ({
  ttl: ttl ?? AUTOMATIC_TTL,
  ...(proxied !== undefined && { proxied }),
  ...(comment !== undefined && { comment }),
  ...(isObject(extra) && extra),
})

/** Settings that are turned on, and tags. */
export function extraOf({ settings, tags }: RawRecord): JsonValue | null {
  const on = Object.entries(settings ?? {}).filter(([, value]) => value !== false && value !== null)
  if (on.length === 0 && !tags?.length) return null
  return {
    ...(on.length > 0 && { settings: Object.fromEntries(on) as JsonValue }),
    ...(tags?.length && { tags }),
  }
}
