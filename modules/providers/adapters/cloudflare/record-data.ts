import { Type, type Static } from '@sinclair/typebox'
import { relativeName } from '../../../../dns/names/names.ts'
import { quoteBytes, splitTokens, unescapeBytes, type Token } from '../../../../dns/text/strings.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText } from '../../../../dns/types/txt.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { JsonValue } from '../../../../db/tables/index.ts'
import type { Member, UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord } from '../../shared/edited-records.ts'
import { isObject } from '../../client/json.ts'

/** A record as Cloudflare has it. */
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

const AUTOMATIC = 1

/** `number`; `name`: without final dot; `text`: without quotes and escapes; `rest`: all that is left, as it stands. */
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

/** What of a record says its value. */
type Content = Pick<RawRecord, 'content' | 'priority' | 'data'>

/** A canonical value in Cloudflare's words. */
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

/** The canonical value; null when it is none of that type. */
function readContent(type: RecordType, { content = '', priority, data }: Content): string | null {
  const fields = FIELDS[type]
  if (fields !== undefined) {
    // Of old records some have their data in the content alone.
    if (!data) return typeOf(type).read(content)
    const words = Object.entries(fields).map(([name, kind]) =>
      readField(kind, data[name] ?? (name === 'priority' ? priority : undefined)),
    )
    return typeOf(type).read(words.join(' '))
  }
  if (type === 'MX') return typeOf(type).read(`${priority ?? ''} ${content}`)
  // In quotes it is what a zone file has, else the text itself.
  if (type === 'TXT' && !/^".*"$/s.test(content)) return txtFromText(content)
  return typeOf(type).read(content)
}

function readField(kind: Kind, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return kind === 'text' ? quoteBytes(Buffer.from(text)) : text
}

const withoutDot = (name: string): string => (name === '.' ? '.' : name.replace(/\.$/, ''))

/** What is sent of a record that is made. */
export const writeRecord = (type: RecordType, name: string, member: Member, ttl: number | null) => ({
  type,
  name,
  ...writeContent(type, member.value),
  ...writeRest(member, ttl),
})

/** What is sent of one that is changed; its value only where it is another, as it may be spelled otherwise there. */
export const writeChange = ({ type, member }: HeldRecord, wanted: Member, ttl: number | null) => ({
  ...(member.value !== wanted.value && writeContent(type, wanted.value)),
  ...writeRest(wanted, ttl),
})

const writeRest = ({ proxied, comment, extra }: Member, ttl: number | null) => ({
  ttl: ttl ?? AUTOMATIC,
  ...(proxied !== undefined && { proxied }),
  ...(comment !== undefined && { comment }),
  ...(isObject(extra) && extra),
})

/** The record as ours, or as one that is not managed; null for what the zone is made of and for other zones'. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const absolute = readName(raw.name)
  const name = absolute === null ? null : relativeName(absolute, zone.name)
  if (name === null || raw.type === 'SOA') return null
  const type = readType(raw.type)
  const value = type === null ? null : readContent(type, raw)
  if (type === null || value === null)
    return { name, type: raw.type, ttl: raw.ttl, value: raw.content ?? JSON.stringify(raw.data ?? {}) }
  const extra = extraOf(raw)
  const member: Member = {
    value,
    ...(raw.proxied === true && { proxied: true }),
    comment: raw.comment ?? '',
    ...(extra !== null && { extra }),
  }
  return { id: raw.id, name, type, ttl: raw.ttl === AUTOMATIC ? null : raw.ttl, member }
}

/** Settings that are on, and tags. */
function extraOf({ settings, tags }: RawRecord): JsonValue | null {
  const on = Object.entries(settings ?? {}).filter(([, value]) => value !== false && value !== null)
  if (on.length === 0 && !tags?.length) return null
  return {
    ...(on.length > 0 && { settings: Object.fromEntries(on) as JsonValue }),
    ...(tags?.length && { tags }),
  }
}
