import { decodeUtf8, quoteBytes, splitTokens, unescapeBytes, type Token } from '../../../dns/text/strings.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import { joinTxt, txtStrings } from '../../../dns/types/txt.ts'
import { bytesOfText } from '../../../dns/text/text.ts'
import { lineFault, type LineFault } from './line-faults.ts'

/** A value as octoDNS has it in YAML: a text, or an object of the fields of its type. */
export type OctodnsValue = string | { [field: string]: OctodnsField }
type OctodnsField = string | number | null | string[] | { [parameter: string]: string | string[] | null }

/** The fields of types that octoDNS writes as objects, in the order of presentation data; those in quotes are text there. */
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

/** Fields whose digits are no number. */
const DIGITS = new Set(['tag', 'digest', 'certificate_association_data', 'fingerprint'])

/** What older files of octoDNS call a field, and what it takes where one is missing. */
const OLD_NAMES: Partial<Record<RecordType, Record<string, string>>> = {
  MX: { priority: 'preference', value: 'exchange' },
}
const DEFAULTS: Partial<Record<RecordType, Record<string, string>>> = { CAA: { flags: '0' } }

const SERVICE_FIELDS = ['svcpriority', 'targetname', 'svcparams']
/** Parameters of SVCB and HTTPS whose value is a list. */
const LISTS = new Set(['mandatory', 'alpn', 'ipv4hint', 'ipv6hint'])

const isService = (type: RecordType) => type === 'SVCB' || type === 'HTTPS'

/**
 * A canonical value in octoDNS' form. Types that it does not know, and what its form can't say (bytes that are no
 * text), are presentation data (RFC 1035 section 5.1).
 */
export function toOctodns(type: RecordType, canonical: string): OctodnsValue {
  if (type === 'TXT') return toText(canonical)
  const rdata = typeOf(type).write(canonical)
  if (rdata.startsWith('\\#')) return rdata
  if (isService(type)) return toService(rdata)
  const names = FIELDS[type]
  return names === undefined ? rdata : (toFields(names, splitTokens(rdata) ?? []) ?? rdata)
}

/** octoDNS escapes semicolons and backslashes in a text, but not quotes, and takes the quotes off one that begins with some. */
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

/** With escapes in it, where a comma ends an item is for who reads the text. */
const listed = (key: string, raw: string): string | string[] =>
  LISTS.has(key) && !raw.includes('\\') ? raw.split(',') : raw

/**
 * The presentation data of a value in octoDNS' form, as YAML has it when each scalar is a text; its names must be
 * full, with their final dot. Whether it can be read as the type is for the caller to see.
 */
export function fromOctodns(type: RecordType, value: unknown): { rdata: string } | { fault: LineFault } {
  const written = typeof value === 'string' ? fromText(type, value) : fromObject(type, value)
  if ('fault' in written) return written
  const { fields } = typeOf(type)
  const words = splitTokens(written.rdata, { pairs: true }) ?? []
  const short = words.find(({ raw }, at) => fields[at]?.kind === 'name' && !raw.endsWith('.'))
  if (short === undefined || words[0]?.raw === '\\#') return written
  return faulty('yaml_full_name', `${short.raw} must be a full name, with a dot at its end`, {
    given: short.raw,
  })
}

function fromText(type: RecordType, text: string): { rdata: string } | { fault: LineFault } {
  if (type !== 'TXT' || text.startsWith('"')) return { rdata: text }
  const bytes = unescapeBytes(text)
  return bytes === null
    ? faulty('yaml_backslash', 'a backslash must be followed by three digits or one character')
    : { rdata: quoteBytes(bytes) }
}

function fromObject(type: RecordType, value: unknown): { rdata: string } | { fault: LineFault } {
  const names = isService(type) ? SERVICE_FIELDS : FIELDS[type]
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return faulty('yaml_text_or_object', 'a value must be a text or an object')
  if (names === undefined)
    return faulty('yaml_text', `a value of ${type} must be a text`, { recordType: type })
  const fields: Record<string, unknown> = { ...DEFAULTS[type] }
  for (const [key, field] of Object.entries(value)) fields[OLD_NAMES[type]?.[key] ?? key] = field
  const extra = Object.keys(fields).find((key) => !names.some((name) => bare(name) === key))
  if (extra !== undefined)
    return faulty('yaml_field', `${type} has no field ${extra}`, { recordType: type, field: extra })
  return isService(type) ? fromService(fields) : fromFields(type, names, fields)
}

function fromFields(
  type: RecordType,
  names: readonly string[],
  fields: Record<string, unknown>,
): { rdata: string } | { fault: LineFault } {
  const words: string[] = []
  for (const name of names) {
    const field = fields[bare(name)]
    if (typeof field !== 'string')
      return faulty('yaml_field_missing', `${type} needs ${bare(name)}`, {
        recordType: type,
        field: bare(name),
      })
    if (!name.startsWith('"') && !isWord(field)) return oneWord(name)
    words.push(name.startsWith('"') ? quoteBytes(Buffer.from(field)) : field)
  }
  return { rdata: words.join(' ') }
}

const faulty = (...fault: Parameters<typeof lineFault>) => ({ fault: lineFault(...fault) })
const oneWord = (field: string) => faulty('yaml_word', `${field} must be one word`, { field })
const needed = (field: string) => faulty('yaml_field_missing', `${field} is needed`, { field })

const isWord = (text: string) => /^[^\s"();]+$/.test(text)

function fromService({ svcpriority, targetname, svcparams = {} }: Record<string, unknown>) {
  if (typeof svcpriority !== 'string' || !isWord(svcpriority)) return needed('svcpriority')
  if (typeof targetname !== 'string' || !isWord(targetname)) return needed('targetname')
  const words = [svcpriority, targetname]
  const parameters = svcparams === '' ? {} : svcparams
  if (typeof parameters !== 'object' || parameters === null)
    return faulty('yaml_object', 'svcparams must be an object', { field: 'svcparams' })
  for (const [key, value] of Object.entries(parameters as Record<string, unknown>)) {
    const text = Array.isArray(value) ? value.join(',') : value
    if (typeof text !== 'string' || !isWord(key) || /(?<!\\)(\\\\)*"/.test(text))
      return faulty('yaml_text_or_list', `${key} must be a text or a list`, { field: key })
    words.push(text === '' ? key : `${key}="${text}"`)
  }
  return { rdata: words.join(' ') }
}
