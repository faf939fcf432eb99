import { readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { isBody, type Body } from './answers.ts'
import { isPort } from './checks.ts'
import { isName, isNumber, readFields, writeField, writeFields, type Fields } from './data-fields.ts'
import { rdataOfText } from './rdata.ts'

/** What is a record's own. */
export interface CloudflareData {
  content: string
  priority?: number
  data?: Body
}

const BINDING: Fields = { priority: 'number', target: 'name', value: 'rest' }
const CERTIFICATE: Fields = {
  usage: 'number',
  selector: 'number',
  matching_type: 'number',
  certificate: 'text',
}

/** The types with `data`. */
const DATA: Record<string, Fields> = {
  CAA: { flags: 'number', tag: 'text', value: 'quoted' },
  CERT: { type: 'number', key_tag: 'number', algorithm: 'number', certificate: 'text' },
  DNSKEY: { flags: 'number', protocol: 'number', algorithm: 'number', public_key: 'text' },
  DS: { key_tag: 'number', algorithm: 'number', digest_type: 'number', digest: 'text' },
  HTTPS: BINDING,
  LOC: {
    lat_degrees: 'number',
    lat_minutes: 'number',
    lat_seconds: 'number',
    lat_direction: 'text',
    long_degrees: 'number',
    long_minutes: 'number',
    long_seconds: 'number',
    long_direction: 'text',
    altitude: 'meters',
    size: 'meters',
    precision_horz: 'meters',
    precision_vert: 'meters',
  },
  NAPTR: {
    order: 'number',
    preference: 'number',
    flags: 'quoted',
    service: 'quoted',
    regex: 'quoted',
    replacement: 'name',
  },
  SMIMEA: CERTIFICATE,
  SRV: { priority: 'number', weight: 'number', port: 'number', target: 'name' },
  SSHFP: { algorithm: 'number', type: 'number', fingerprint: 'text' },
  SVCB: BINDING,
  TLSA: CERTIFICATE,
  URI: { weight: 'number', target: 'quoted' },
}

/** SPF is of long ago and can still be there. */
const PLAIN = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'OPENPGPKEY', 'PTR', 'SPF', 'TXT']
export const TYPES = [...Object.keys(DATA), ...PLAIN]

/** Where Cloudflare shows a name without the final dot, however it was sent. */
const SHOWN_BARE = new Set(['CNAME', 'MX', 'NS', 'PTR'])
const NEEDS_PRIORITY = new Set(['MX', 'URI'])
const withoutDot = (name: string) => (name === '.' ? name : name.replace(/\.$/, ''))

/** What is the record's own of a body, as Cloudflare stores it; a text: why it doesn't. */
export function storedData(body: Body): CloudflareData | string {
  const type = String(body['type'])
  const { data, content } = body
  const fields = DATA[type]
  if (NEEDS_PRIORITY.has(type) && !isPort(body['priority'])) return 'priority is a required field.'
  const priority = NEEDS_PRIORITY.has(type) ? { priority: Number(body['priority']) } : {}
  if (fields === undefined) {
    if (typeof content !== 'string' || content === '') return 'content is a required field.'
    return { content: SHOWN_BARE.has(type) ? withoutDot(content) : content, ...priority }
  }
  // What stands in `content` of these is not looked at.
  if (!isBody(data)) return 'data is a required field.'
  const wrong = Object.entries(fields).find(
    ([field, kind]) => typeof data[field] !== (isNumber(kind) ? 'number' : 'string'),
  )
  if (wrong !== undefined) return `data.${wrong[0]} is missing or of the wrong type.`
  const kept = Object.fromEntries(Object.keys(fields).map((field) => [field, data[field]]))
  if (type !== 'SRV') return { content: contentOf(type, fields, kept), data: kept, ...priority }
  kept['target'] = withoutDot(String(kept['target']))
  return { content: contentOf(type, fields, kept), data: kept, priority: Number(kept['priority']) }
}

/** What `content` shows of `data`: the priority of an SRV is elsewhere, and names are as they were sent. */
function contentOf(type: string, fields: Fields, data: Body): string {
  const shown = Object.entries(fields)
    .filter(([field]) => type !== 'SRV' || field !== 'priority')
    .map(([field, kind]) => (isName(kind) ? String(data[field]) : writeField(kind, data[field])))
  return `${type === 'LOC' ? 'IN LOC ' : ''}${shown.join(' ')}`
}

type Stored = CloudflareData & { type: string }

/** The record's data as a master file has it. */
export function rdataOf({ type, content, priority, data = {} }: Stored): string {
  const fields = DATA[type]
  if (SHOWN_BARE.has(type) || type === 'URI') {
    const rdata = type === 'URI' ? content : writeField('name', content)
    return NEEDS_PRIORITY.has(type) ? `${priority} ${rdata}` : rdata
  }
  // Content in quotes is of a master file; other content is the text itself.
  if (type === 'TXT' || type === 'SPF') return /^".*"$/s.test(content) ? content : rdataOfText(content)
  return fields === undefined ? content : writeFields(fields, data)
}

/** The same for two records that mean the same; null: it can't be read. */
export function meaningOf(record: Stored): string | null {
  const type = readType(record.type)
  return type === null ? record.content : typeOf(type).read(rdataOf(record))
}

/** A body for the canonical value of a type, as somebody at Cloudflare's own pages would have made the record. */
export function bodyOf(type: RecordType, value: string): Body {
  const rdata = typeOf(type).write(value)
  const [first = '', ...rest] = rdata.split(' ')
  const own = NEEDS_PRIORITY.has(type) ? rest.join(' ') : rdata
  const fields = DATA[type]
  return {
    type,
    ...(NEEDS_PRIORITY.has(type) && { priority: Number(first) }),
    ...(fields === undefined ? { content: own } : { data: readFields(fields, own) }),
  }
}
