import { Type, type Static } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { quoteBytes, splitTokens, unescapeBytes, type Token } from '../../../../dns/text/strings.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText } from '../../../../dns/types/txt.ts'
import type { JsonValue } from '../../../../db/tables/index.ts'
import type { Member, Zone } from '../../contract.ts'
import type { RecordWrite } from '../../shared/by-id.ts'
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

/** `name`: without the final dot; `text`: without quotes and escapes; `rest`: everything left, unchanged. */
type Kind = 'number' | 'name' | 'text' | 'plain' | 'rest'

const TLSA = { usage: 'number', selector: 'number', matching_type: 'number', certificate: 'plain' } as const
const BINDING = { priority: 'number', target: 'name', value: 'rest' } as const

/** The fields of `data`, in the order of presentation data. */
const FIELDS: Partial<Record<RecordType, Record<string, Kind>>> = {
  SRV: { priority: 'number', weight: 'number', port: 'number', target: 'name' },
  CAA: { flags: 'number', tag: 'plain', value: 'text' },
  TLSA,
  SMIMEA: TLSA,
  SSHFP: { algorithm: 'number', type: 'number', fingerprint: 'plain' },
  DS: { key_tag: 'number', algorithm: 'number', digest_type: 'number', digest: 'plain' },
  DNSKEY: { flags: 'number', protocol: 'number', algorithm: 'number', public_key: 'plain' },
  CERT: { type: 'number', key_tag: 'number', algorithm: 'number', certificate: 'plain' },
  NAPTR: {
    order: 'number',
    preference: 'number',
    flags: 'text',
    service: 'text',
    regex: 'text',
    replacement: 'name',
  },
  SVCB: BINDING,
  HTTPS: BINDING,
  LOC: {
    lat_degrees: 'number',
    lat_minutes: 'number',
    lat_seconds: 'number',
    lat_direction: 'plain',
    long_degrees: 'number',
    long_minutes: 'number',
    long_seconds: 'number',
    long_direction: 'plain',
    altitude: 'number',
    size: 'number',
    precision_horz: 'number',
    precision_vert: 'number',
  },
  URI: { priority: 'number', weight: 'number', target: 'text' },
}

/** The fields that hold the value. */
type Content = Pick<RawRecord, 'content' | 'priority' | 'data'>

/** The fields for a canonical value. */
function writeContent(type: RecordType, value: string): Content {
  const rdata = typeOf(type).write(value)
  const fields = FIELDS[type]
  if (fields !== undefined) return writeData(type, fields, rdata)
  if (type === 'MX') {
    const [priority, host = ''] = rdata.split(' ')
    return { priority: Number(priority), content: withoutDot(host) }
  }
  return { content: ['CNAME', 'NS', 'PTR'].includes(type) ? withoutDot(rdata) : rdata }
}

function writeData(type: RecordType, fields: Record<string, Kind>, rdata: string): Content {
  const tokens = splitTokens(rdata, { pairs: true }) ?? []
  const data = Object.fromEntries(
    Object.entries(fields).map(([name, kind], at) => [
      name,
      kind === 'rest' ? rdata.split(' ').slice(at).join(' ') : writeField(kind, tokens[at]),
    ]),
  )
  if (type !== 'URI') return { data }
  const { priority, ...others } = data
  return { priority: Number(priority), data: others }
}

function writeField(kind: Kind, { raw }: Token = { raw: '', quoted: false }): string | number {
  if (kind === 'number') return Number(raw.replace(/m$/, ''))
  if (kind === 'name') return withoutDot(raw)
  return kind === 'text' ? (unescapeBytes(raw)?.toString() ?? raw) : raw
}

/** The canonical value; null: the data is not of that type. */
export function readValue(type: RecordType, { content = '', priority, data }: RawRecord): string | null {
  const fields = FIELDS[type]
  if (fields !== undefined) {
    // Some old records have their data in `content` only.
    if (!data) return typeOf(type).read(content)
    const words = Object.entries(fields).map(([name, kind]) =>
      readField(kind, data[name] ?? (name === 'priority' ? priority : undefined)),
    )
    return typeOf(type).read(words.join(' '))
  }
  if (type === 'MX') return typeOf(type).read(`${priority ?? ''} ${content}`)
  // Quoted text is in zone file form, other text is plain.
  if (type === 'TXT' && !/^".*"$/s.test(content)) return txtFromText(content)
  return typeOf(type).read(content)
}

function readField(kind: Kind, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return kind === 'text' ? quoteBytes(Buffer.from(text)) : text
}

const withoutDot = (name: string): string => (name === '.' ? '.' : name.replace(/\.$/, ''))

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
