import { bytesOfText } from '../../../dns/text/text.ts'
import { quoteBytes } from '../../../dns/text/strings.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import type { Body } from './answers.ts'

export interface CloudflareRecord {
  id: string
  /** With the zone's, without the final dot. */
  name: string
  type: string
  content: string
  proxiable: boolean
  proxied: boolean
  /** Seconds; 1: Cloudflare chooses. */
  ttl: number
  settings: Body
  meta: Body
  comment: string | null
  tags: string[]
  created_on: string
  modified_on: string
  priority?: number
  data?: Body
}

const LOC = [
  'lat_degrees',
  'lat_minutes',
  'lat_seconds',
  'lat_direction',
  'long_degrees',
  'long_minutes',
  'long_seconds',
  'long_direction',
  'altitude',
  'size',
  'precision_horz',
  'precision_vert',
]

/** The types with `data`, and its fields in the order of master files. */
const DATA: Record<string, readonly string[]> = {
  CAA: ['flags', 'tag', 'value'],
  CERT: ['type', 'key_tag', 'algorithm', 'certificate'],
  DNSKEY: ['flags', 'protocol', 'algorithm', 'public_key'],
  DS: ['key_tag', 'algorithm', 'digest_type', 'digest'],
  HTTPS: ['priority', 'target', 'value'],
  LOC,
  NAPTR: ['order', 'preference', 'flags', 'service', 'regex', 'replacement'],
  SMIMEA: ['usage', 'selector', 'matching_type', 'certificate'],
  SRV: ['priority', 'weight', 'port', 'target'],
  SSHFP: ['algorithm', 'type', 'fingerprint'],
  SVCB: ['priority', 'target', 'value'],
  TLSA: ['usage', 'selector', 'matching_type', 'certificate'],
  URI: ['weight', 'target'],
}

/** SPF is of long ago and can still be there. */
const PLAIN = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'OPENPGPKEY', 'PTR', 'SPF', 'TXT']
export const TYPES = [...Object.keys(DATA), ...PLAIN]
export const PROXIABLE = ['A', 'AAAA', 'CNAME']

const TEXTS = new Set(
  'tag value certificate public_key digest target flags:NAPTR service regex replacement fingerprint lat_direction long_direction'.split(
    ' ',
  ),
)
const isText = (type: string, field: string) => TEXTS.has(field) || TEXTS.has(`${field}:${type}`)
const withDot = (name: string) => (name.endsWith('.') ? name : `${name}.`)
const withoutDot = (name: string) => (name === '.' ? name : name.replace(/\.$/, ''))
const quoted = (text: unknown) => quoteBytes(Buffer.from(String(text)))

/** Where Cloudflare shows a name without the final dot, however it was sent. */
const SHOWN_BARE = new Set(['CNAME', 'MX', 'NS', 'PTR'])

/** What is the record's own of a body, as Cloudflare stores it; a text: why it doesn't. */
export function storedData(body: Body): Pick<CloudflareRecord, 'content' | 'priority' | 'data'> | string {
  const type = String(body['type'])
  const { data, content } = body
  const fields = DATA[type]
  const needsPriority = type === 'MX' || type === 'URI'
  if (needsPriority && !isUint16(body['priority'])) return 'priority is a required field.'
  const priority = needsPriority ? { priority: Number(body['priority']) } : {}
  if (fields === undefined) {
    if (typeof content !== 'string' || content === '') return 'content is a required field.'
    return { content: SHOWN_BARE.has(type) ? withoutDot(content) : content, ...priority }
  }
  // What stands in `content` of these is not looked at.
  if (typeof data !== 'object' || data === null) return 'data is a required field.'
  const given = data as Body
  const wrong = fields.find((field) =>
    isText(type, field) ? typeof given[field] !== 'string' : typeof given[field] !== 'number',
  )
  if (wrong !== undefined) return `data.${wrong} is missing or of the wrong type.`
  const kept = Object.fromEntries(fields.map((field) => [field, given[field]]))
  if (type === 'SRV') kept['target'] = withoutDot(String(kept['target']))
  if (type === 'SRV') priority.priority = Number(kept['priority'])
  return { content: contentOf(type, kept), data: kept, ...priority }
}

const isUint16 = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536

/** What `content` shows of `data`. */
function contentOf(type: string, data: Body): string {
  if (type === 'SRV') return [data['weight'], data['port'], data['target']].join(' ')
  if (type === 'LOC') return `IN LOC ${locOf(data)}`
  return (DATA[type] ?? []).map((field) => shownField(type, field, data[field])).join(' ')
}

function shownField(type: string, field: string, value: unknown): string {
  const isString =
    (type === 'CAA' && field === 'value') ||
    (type === 'NAPTR' && ['flags', 'service', 'regex'].includes(field)) ||
    (type === 'URI' && field === 'target')
  return isString ? quoted(value) : String(value)
}

const locOf = (data: Body): string =>
  LOC.map((field, i) => `${String(data[field])}${i > 7 ? 'm' : ''}`).join(' ')

/** The record's data as a master file has it (RFC 1035 section 5.1). */
export function presentationOf({
  type,
  content,
  priority,
  data = {},
}: Pick<CloudflareRecord, 'type' | 'content' | 'priority' | 'data'>): string {
  if (type === 'MX') return `${priority} ${withDot(content)}`
  if (SHOWN_BARE.has(type)) return withDot(content)
  if (type === 'TXT' || type === 'SPF') return textOf(content)
  if (type === 'URI') return `${priority} ${content}`
  if (type === 'LOC') return locOf(data)
  const names = type === 'NAPTR' ? ['replacement'] : ['target']
  if (DATA[type] === undefined) return content
  const shown = (field: string) =>
    names.includes(field) ? withDot(String(data[field])) : shownField(type, field, data[field])
  return (DATA[type] ?? []).map(shown).join(' ').trim()
}

/** Content in quotes is of a master file, with escapes and parts of at most 255 bytes; other content is the text itself. */
function textOf(content: string): string {
  if (content.length > 1 && content.startsWith('"') && content.endsWith('"')) return content
  const bytes = Buffer.from(content)
  const parts = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, i) =>
    quoteBytes(bytes.subarray(i * 255, (i + 1) * 255)),
  )
  return parts.join(' ')
}

/** The same for two records that mean the same; null: it can't be read. */
export function meaningOf(record: Pick<CloudflareRecord, 'type' | 'content' | 'priority' | 'data'>) {
  const type = readType(record.type)
  if (type === null) return record.content
  return typeOf(type).read(presentationOf(record))
}

/** A body for the canonical value of a type, as somebody at Cloudflare's own pages would have made the record. */
export function bodyOf(type: string, value: string): Body {
  const known = readType(type)
  if (known === null) return { type, content: value }
  const rdata = typeOf(known).write(value)
  const words = rdata.split(' ')
  const data = typeOf(known).toData(value)
  const [first = '', second = '', ...rest] = words
  if (type === 'TXT') return { type, content: rdata }
  if (type === 'MX') return { type, priority: Number(first), content: second }
  if (type === 'LOC') return { type, data: locData(words) }
  if (type === 'CAA') return { type, data: { ...data, value: plain(data['value']) } }
  if (type === 'HTTPS' || type === 'SVCB')
    return { type, data: { priority: Number(first), target: second, value: rest.join(' ') } }
  if (type === 'URI')
    return {
      type,
      priority: Number(first),
      data: { weight: Number(second), target: plain(data['target']) },
    }
  if (type === 'NAPTR') return { type, data: { ...data, regex: plain(data['regexp']) } }
  const fields = DATA[type]
  if (fields === undefined) return { type, content: rdata }
  const fieldOf = (field: string, i: number) => (isText(type, field) ? words[i] : Number(words[i]))
  return { type, data: Object.fromEntries(fields.map((field, i) => [field, fieldOf(field, i)])) }
}

const plain = (text: unknown): string => (typeof text === 'string' ? bytesOfText(text).toString() : '')

const locData = (words: string[]): Body =>
  Object.fromEntries(
    LOC.map((field, i) => {
      const word = (words[i] ?? '').replace(/m$/, '')
      return [field, isText('LOC', field) ? word : Number(word)]
    }),
  )
