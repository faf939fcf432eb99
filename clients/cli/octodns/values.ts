import { decodeUtf8, quoteBytes, splitTokens, unescapeBytes, type Token } from '../../../dns/text/strings.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import { joinTxt, txtStrings } from '../../../dns/types/txt.ts'
import { bytesOfText } from '../../../dns/text/text.ts'

/** What is wrong in an octoDNS file, in words for its author. */
export class OctodnsFault extends Error {}

/** A value as octoDNS has it in YAML: a text, or an object of the fields of its type. */
export type OctodnsValue = string | { [field: string]: OctodnsField }
type OctodnsField = string | number | null | string[] | { [parameter: string]: string | string[] | null }

/** Fields of the types that octoDNS writes as objects, in the order of presentation data; quoted ones are strings there. */
const FIELDS: Partial<Record<RecordType, readonly string[]>> = {
  MX: ['preference', 'exchange'],
  SRV: ['priority', 'weight', 'port', 'target'],
  CAA: ['flags', 'tag', '"value"'],
  DS: ['key_tag', 'algorithm', 'digest_type', 'digest'],
  TLSA: ['certificate_usage', 'selector', 'matching_type', 'certificate_association_data'],
  SSHFP: ['algorithm', 'fingerprint_type', 'fingerprint'],
  NAPTR: ['order', 'preference', '"flags"', '"service"', '"regexp"', 'replacement'],
  URI: ['priority', 'weight', '"target"'],
  LOC: (
    'lat_degrees lat_minutes lat_seconds lat_direction long_degrees long_minutes long_seconds long_direction ' +
    'altitude size precision_horz precision_vert'
  ).split(' '),
}

/** Fields that stay text even if they are all digits. */
const DIGITS = new Set(['tag', 'digest', 'certificate_association_data', 'fingerprint'])

/** Field names of older octoDNS files, and defaults of missing fields. */
const OLD_NAMES: Partial<Record<RecordType, Record<string, string>>> = {
  MX: { priority: 'preference', value: 'exchange' },
}
const DEFAULTS: Partial<Record<RecordType, Record<string, string>>> = { CAA: { flags: '0' } }

const SERVICE_FIELDS = ['svcpriority', 'targetname', 'svcparams']
/** Parameters of SVCB and HTTPS whose value is a list. */
const LISTS = new Set(['mandatory', 'alpn', 'ipv4hint', 'ipv6hint'])

const isService = (type: RecordType) => type === 'SVCB' || type === 'HTTPS'

/**
 * Returns a canonical value in octoDNS' form. Types unknown to octoDNS, and bytes that are not text, are presentation data
 * (RFC 1035 section 5.1).
 */
export function toOctodns(type: RecordType, canonical: string): OctodnsValue {
  if (type === 'TXT') return toText(canonical)
  const rdata = typeOf(type).write(canonical)
  if (rdata.startsWith('\\#')) return rdata
  if (isService(type)) return toService(rdata)
  const names = FIELDS[type]
  return names === undefined ? rdata : (toFields(names, splitTokens(rdata) ?? []) ?? rdata)
}

/** octoDNS escapes semicolons and backslashes in a text but not quotes, and strips the quotes of a text that begins with one. */
function toText(canonical: string): string {
  const bytes = bytesOfText(joinTxt(canonical))
  if (txtStrings(canonical) !== null || bytes.length === 0 || bytes[0] === 0x22)
    return typeOf('TXT').write(canonical).replaceAll(';', '\\;')
  return quoteBytes(bytes).slice(1, -1).replaceAll('\\"', '"').replaceAll(';', '\\;')
}

function toFields(names: readonly string[], tokens: Token[]): OctodnsValue | null {
  const fields: Record<string, OctodnsField> = {}
  for (const [at, name] of names.entries()) {
    const raw = tokens[at]?.raw ?? ''
    if (name.startsWith('"')) {
      const text = decodeUtf8(unescapeBytes(raw) ?? Buffer.of(0xff))
      if (text === null || /\p{Cc}/u.test(text)) return null
      fields[bare(name)] = text
    } else fields[name] = toField(name, raw)
  }
  return fields
}

const toField = (name: string, raw: string): string | number =>
  !DIGITS.has(name) && /^-?[0-9]+(\.[0-9]+)?m?$/.test(raw) ? Number(raw.replace(/m$/, '')) : raw

const bare = (name: string) => name.replaceAll('"', '')

function toService(rdata: string): OctodnsValue {
  const [priority, target, ...words] = splitTokens(rdata, { pairs: true }) ?? []
  const parameters: Record<string, string | string[] | null> = {}
  let open: string | null = null
  for (const { raw, quoted } of words) {
    if (quoted && open !== null) parameters[open] = listed(open, raw)
    const [, key = raw, value] = /^([^=]*)=(.*)$/.exec(raw) ?? []
    if (!quoted) parameters[key] = value === undefined || value === '' ? null : listed(key, value)
    open = quoted ? null : key
  }
  return {
    svcpriority: Number(priority?.raw),
    targetname: target?.raw ?? '.',
    ...(words.length > 0 && { svcparams: parameters }),
  }
}

/** A text with escapes stays whole: an escaped comma does not end an item. */
const listed = (key: string, raw: string): string | string[] =>
  LISTS.has(key) && !raw.includes('\\') ? raw.split(',') : raw

/**
 * Returns the presentation data of a value in octoDNS' form, in which each scalar of the YAML is a text and names are
 * full, with their final dot. Whether it is valid data of the type is for the caller to check. Throws OctodnsFault.
 */
export function fromOctodns(type: RecordType, value: unknown): string {
  const rdata = typeof value === 'string' ? fromText(type, value) : fromObject(type, value)
  const { fields } = typeOf(type)
  const words = splitTokens(rdata, { pairs: true }) ?? []
  const short = words.find(({ raw }, at) => fields[at]?.kind === 'name' && !raw.endsWith('.'))
  if (short !== undefined && words[0]?.raw !== '\\#')
    throw new OctodnsFault(`${short.raw} must be a full name, with a dot at its end`)
  return rdata
}

function fromText(type: RecordType, text: string): string {
  if (type !== 'TXT' || text.startsWith('"')) return text
  const bytes = unescapeBytes(text)
  if (bytes === null) throw new OctodnsFault('a backslash must be followed by three digits or one character')
  return quoteBytes(bytes)
}

function fromObject(type: RecordType, value: unknown): string {
  const names = isService(type) ? SERVICE_FIELDS : FIELDS[type]
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new OctodnsFault('a value must be a text or an object')
  if (names === undefined) throw new OctodnsFault(`a value of ${type} must be a text`)
  const fields: Record<string, unknown> = { ...DEFAULTS[type] }
  for (const [key, field] of Object.entries(value)) fields[OLD_NAMES[type]?.[key] ?? key] = field
  const extra = Object.keys(fields).find((key) => !names.some((name) => bare(name) === key))
  if (extra !== undefined) throw new OctodnsFault(`${type} has no field ${extra}`)
  return isService(type) ? fromService(fields) : fromFields(type, names, fields)
}

function fromFields(type: RecordType, names: readonly string[], fields: Record<string, unknown>): string {
  const words = names.map((name) => {
    const field = fields[bare(name)]
    if (typeof field !== 'string') throw new OctodnsFault(`${type} needs ${bare(name)}`)
    if (name.startsWith('"')) return quoteBytes(Buffer.from(field))
    if (!isWord(field)) throw new OctodnsFault(`${name} must be one word`)
    return field
  })
  return words.join(' ')
}

const isWord = (text: string) => /^[^\s"();]+$/.test(text)

function fromService({ svcpriority, targetname, svcparams = {} }: Record<string, unknown>): string {
  if (typeof svcpriority !== 'string' || !isWord(svcpriority)) throw new OctodnsFault('svcpriority is needed')
  if (typeof targetname !== 'string' || !isWord(targetname)) throw new OctodnsFault('targetname is needed')
  const words = [svcpriority, targetname]
  const parameters = svcparams === '' ? {} : svcparams
  if (typeof parameters !== 'object' || parameters === null)
    throw new OctodnsFault('svcparams must be an object')
  for (const [key, value] of Object.entries(parameters as Record<string, unknown>)) {
    const text = Array.isArray(value) ? value.join(',') : value
    if (typeof text !== 'string' || !isWord(key) || /(?<!\\)(\\\\)*"/.test(text))
      throw new OctodnsFault(`${key} must be a text or a list`)
    words.push(text === '' ? key : `${key}="${text}"`)
  }
  return words.join(' ')
}
