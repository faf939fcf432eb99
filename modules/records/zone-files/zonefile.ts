import { looksLikeTtl, readTtl } from '../../../dns/text/ttl.ts'
import { type Entry, proxiedIn, readEntries } from '../../../dns/zone-file/master-file.ts'
import { shown } from '../../../dns/text/messages.ts'
import type { NameResult } from '../../../dns/names/names.ts'
import { absoluteTarget, absoluteWords, ownerOf } from '../../../dns/zone-file/relative-data.ts'
import type { Token } from '../../../dns/text/strings.ts'
import { checkValue, priorityOf, readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { isOtherType } from '../../../dns/types/other-types.ts'
import { readName } from '../../../dns/wire/wire-name.ts'
import { inSlices } from '../../../plugins/http/event-loop.ts'
import { faultOfName, faultOfValue, lineFault, type LeftOut, type LineFault } from './line-faults.ts'

/** A record in canonical form, with its first line. */
export interface ZoneFileRecord {
  line: number
  /** Relative to the zone, `@` for the apex. */
  name: string
  recordType: RecordType
  value: string
  /** Seconds; null if the file does not set it. */
  ttl: number | null
  priority: number | null
  /** Missing if the file does not set it. */
  proxied?: boolean
}

export interface ZoneFile {
  records: ZoneFileRecord[]
  /** Records of types that are not managed here. */
  skipped: ({ line: number; type: string; name: string } & LeftOut)[]
  /** If there are any, the file must not be imported: `records` has only what could be parsed. */
  errors: ({ line: number } & LineFault)[]
}

/** A limit that the file exceeds. */
const LIMITS = [
  { list: 'records', most: 20_000, what: 'records', rule: 'line_records' },
  { list: 'skipped', most: 100_000, what: 'records of other types', rule: 'line_skipped' },
  { list: 'errors', most: 1_000, what: 'errors', rule: 'line_errors' },
] as const

const MAX_NAME = 255
const CLASSES = new Set(['IN', 'CH', 'HS', 'CS', 'NONE', 'ANY'])

/**
 * Reads a master file (RFC 1035 section 5.1, $TTL of RFC 2308 section 4) for `zone` (a canonical name). Takes
 * linear time, in slices, and stops with an error above 20,000 records (100,000 skipped, 1,000 errors).
 * Accepts everything that DNS allows, even values that are refused from users.
 */
export async function parseZoneFile(text: string, zone: string): Promise<ZoneFile> {
  const parser = new ZoneFileParser(zone)
  await inSlices(readEntries(text), (entry) => {
    if ('error' in entry) parser.fail(entry.line, lineFault(entry.rule, entry.error, entry.params))
    else parser.read(entry)
    return !parser.isFull(entry.line)
  })
  return parser.file
}

/** Whether a limit is exceeded, which the errors then say: parsing stops. */
function isFull(file: ZoneFile, line: number): boolean {
  const passed = LIMITS.find(({ list, most }) => file[list].length > most)
  if (passed === undefined) return false
  const message = `More than ${passed.most} ${passed.what}; the rest of the file was not read`
  file.errors.push({ line, ...lineFault(passed.rule, message, { maximum: passed.most }) })
  return true
}

/** Why records of an unmanaged type are left out; null if the type does not exist. */
function whySkipped(type: string): LeftOut | null {
  if (type === 'SOA') return { reason: "The SOA is the provider's own", code: 'soa_of_provider' }
  if (!isOtherType(type)) return null
  return { reason: `${type} is not managed here`, code: 'type_not_managed', params: { recordType: type } }
}

class ZoneFileParser {
  readonly file: ZoneFile = { records: [], skipped: [], errors: [] }
  readonly #zone: string
  /** Canonical, "." for the root. */
  #origin: string
  #owner: (NameResult & { text: string }) | null = null
  /**
   * From `$TTL`; otherwise the TTL of the last record that has one (RFC 1035), or the SOA's minimum, as in
   * BIND.
   */
  #defaultTtl: number | null = null
  #lastTtl: number | null = null

  constructor(zone: string) {
    this.#zone = zone
    this.#origin = zone
  }

  fail(line: number, fault: LineFault): void {
    this.file.errors.push({ line, ...fault })
  }

  /** Adds an error when a limit is exceeded; the caller then stops. */
  isFull(line: number): boolean {
    return isFull(this.file, line)
  }

  read(entry: Entry): void {
    const [first] = entry.tokens
    if (first === undefined) return
    const directive = !entry.indented && !first.quoted && first.raw.startsWith('$')
    const fault = directive ? this.#readDirective(entry) : this.#readRecord(entry)
    if (fault !== null) this.fail(entry.line, fault)
  }

  #readDirective({ tokens }: Entry): LineFault | null {
    const [name = '', argument, extra] = tokens.map((token) => token.raw)
    const directive = name.toUpperCase()
    if (directive === '$INCLUDE')
      return lineFault('line_include', '$INCLUDE is not supported; put its records into this file')
    if (directive === '$GENERATE')
      return lineFault('line_generate', '$GENERATE is not supported; write its records out')
    if (directive !== '$ORIGIN' && directive !== '$TTL')
      return lineFault('line_directive', `${shown(name)} is not a directive`, { given: name })
    if (argument === undefined || extra !== undefined)
      return lineFault('line_argument', `${directive} takes one argument`, { directive })
    return directive === '$TTL' ? this.#setTtl(argument) : this.#setOrigin(argument)
  }

  #setTtl(text: string): LineFault | null {
    const ttl = readTtl(text)
    if (ttl === null) return lineFault('line_ttl', `${shown(text)} is not a TTL`, { given: text })
    this.#defaultTtl = ttl
    return null
  }

  #setOrigin(text: string): LineFault | null {
    // readName also bounds the length; otherwise relative origins could grow with each line.
    const origin = readName(absoluteTarget(text, this.#origin))
    if (origin === null) return lineFault('line_name', `${shown(text)} is not a name`, { given: text })
    this.#origin = origin
    return null
  }

  #readRecord(entry: Entry): LineFault | null {
    const { tokens, indented } = entry
    if (!indented) this.#owner = this.#readOwner(tokens[0]?.raw ?? '')
    const fields = readFields(tokens, indented ? 0 : 1)
    if (this.#owner === null)
      return lineFault(
        'line_no_name',
        'The line begins with a space, but no previous line has a name to repeat',
      )
    if (fields.type === '') return lineFault('line_no_type', 'The record has no type')
    if (fields.class !== 'IN')
      return lineFault('line_class', `Class ${fields.class} is not supported, only IN`, {
        class: fields.class,
      })
    if (fields.ttl !== null && readTtl(fields.ttl) === null)
      return lineFault('line_ttl_large', `TTL ${shown(fields.ttl)} is too large`, { given: fields.ttl })
    const ttl = this.#takeTtl(fields)
    const type = readType(fields.type)
    if (type !== null) return this.#addRecord(entry, type, ttl, fields.data)
    const leftOut = whySkipped(fields.type)
    if (leftOut === null) return notAType(fields.type)
    const name = this.#owner.ok ? this.#owner.name : this.#owner.text
    this.file.skipped.push({ line: entry.line, type: fields.type, name, ...leftOut })
    return null
  }

  #readOwner(raw: string): NameResult & { text: string } {
    const name = absoluteTarget(raw, this.#origin)
    return { ...ownerOf(name, this.#zone), text: raw.slice(0, MAX_NAME) }
  }

  #takeTtl({ ttl, type, data }: Fields): number | null {
    if (ttl !== null) this.#lastTtl = readTtl(ttl)
    else if (type === 'SOA') this.#lastTtl ??= readTtl(data[6]?.raw ?? '')
    return ttl === null ? (this.#defaultTtl ?? this.#lastTtl) : this.#lastTtl
  }

  #addRecord(
    { line, comment }: Entry,
    type: RecordType,
    ttl: number | null,
    data: Token[],
  ): LineFault | null {
    if (this.#owner?.ok !== true) return this.#owner && faultOfName(this.#owner)
    const rdata = absoluteWords(type, data, this.#origin)
    const value = typeOf(type).read(rdata)
    if (value === null) return whyUnreadable(type, rdata)
    const proxied = proxiedIn(comment)
    this.file.records.push({
      line,
      name: this.#owner.name,
      recordType: type,
      value,
      ttl,
      priority: priorityOf(type, value),
      ...(proxied !== undefined && { proxied }),
    })
    return null
  }
}

/** A word in the position of a type. */
const notAType = (given: string): LineFault =>
  lineFault('line_type', `${shown(given)} is not a record type`, { given })

/** What is wrong with data that is not valid for its type. */
function whyUnreadable(type: RecordType, rdata: string): LineFault {
  const check = checkValue(type, rdata)
  const [first, ...others] = check.ok ? [] : check.errors
  if (first !== undefined) return faultOfValue(first, others)
  const message = `The data of this ${type} cannot be read: ${shown(rdata)}`
  return lineFault('line_data', message, { recordType: type, given: rdata })
}

interface Fields {
  /** As written; null if omitted. */
  ttl: string | null
  class: string
  /** In capitals; empty if missing. */
  type: string
  data: Token[]
}

/** TTL and class come in either order, and both may be omitted (RFC 1035 section 5.1). */
function readFields(tokens: Token[], start: number): Fields {
  const fields: Fields = { ttl: null, class: '', type: '', data: [] }
  let at = start
  for (; at < tokens.length; at++) {
    const { raw = '', quoted = false } = tokens[at] ?? {}
    const word = raw.length <= 40 ? raw.toUpperCase() : raw
    if (fields.ttl === null && !quoted && looksLikeTtl(raw)) fields.ttl = raw
    else if (fields.class === '' && (CLASSES.has(word) || /^CLASS[0-9]+$/.test(word)))
      // Classes in the form of RFC 3597 section 5.
      fields.class = word === 'CLASS1' ? 'IN' : word
    else {
      fields.type = word
      break
    }
  }
  fields.class ||= 'IN'
  fields.data = tokens.slice(at + 1)
  return fields
}
