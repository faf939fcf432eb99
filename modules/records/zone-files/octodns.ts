import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml'
import { shown } from '../../../dns/text/messages.ts'
import { priorityOf, readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { writeName } from '../../../dns/wire/wire-name.ts'
import { inSlices } from '../../../plugins/http/event-loop.ts'
import { fromOctodns } from './octodns-values.ts'
import { OCTODNS_TTL } from './octodns-writer.ts'
import { faultOfName, lineFault, type LeftOut, type LineFault } from './line-faults.ts'
import { isFull, notAType, ownerOf, whySkipped, whyUnreadable, type ZoneFile } from './zonefile.ts'

/** Parsed in one go; more than any one name has. */
const MAX_PART = 256 * 1024
/** Parts are at least so large, where names end. */
const PART = 16 * 1024

/** Of YAML that is malformed, the first are told. */
const MOST_FAULTS = 100

const MAX_TTL = 2_147_483_647

/** octoDNS' own, which are no records of DNS. */
const OWN_TYPES = new Set(['SPF', 'URLFWD'])

/**
 * Reads octoDNS' YAML for `zone` (a canonical name) as `parseZoneFile` reads a master file, with the same limits, in
 * slices. Names and targets are as there: relative names, '' for the apex, targets with their final dot. Whatever it
 * says that records here can't be (geo, dynamic, …) is an error, and so are aliases and tags of YAML.
 */
export async function parseOctodns(text: string, zone: string): Promise<ZoneFile> {
  const reader = new OctodnsReader(zone)
  await inSlices(partsOf(text), ({ line, text }) => reader.read(text, line) && !isFull(reader.file, line))
  return reader.file
}

/** The text cut where names of the topmost map begin, so that no part takes long. Lines from 0. */
function* partsOf(text: string): Generator<{ line: number; text: string }> {
  let [start, line, at, begun] = [0, 0, 0, 0]
  while (at < text.length) {
    // What goes on from the line before begins with none of these.
    if (at - start >= PART && /[^\s#\-:}\]]/.test(text[at] ?? '')) {
      yield { line: begun, text: text.slice(start, at) }
      ;[start, begun] = [at, line]
    }
    const end = text.indexOf('\n', at)
    at = end === -1 ? text.length : end + 1
    line++
  }
  yield { line: begun, text: text.slice(start) }
}

class OctodnsReader {
  readonly file: ZoneFile = { records: [], skipped: [], errors: [] }
  readonly #zone: string
  readonly #names = new Set<string>()
  #lineOf: (node: unknown) => number = () => 1

  constructor(zone: string) {
    this.#zone = zone
  }

  /** Answers whether the rest is to be read: what follows on something malformed says nothing. */
  read(text: string, before: number): boolean {
    if (text.length > MAX_PART) {
      this.#fail(before + 1, lineFault('yaml_entry_large', 'has an entry that is too large'))
      return true
    }
    const lineCounter = new LineCounter()
    const at = (offset: number) => before + Math.max(lineCounter.linePos(offset).line, 1)
    // Each scalar as a text: 0x10 or "no" is what stands there.
    const document = parseDocument(text, {
      schema: 'failsafe',
      uniqueKeys: false,
      prettyErrors: false,
      // With "silent" it would also be silent about a second document, and leave that out.
      logLevel: 'error',
      lineCounter,
    })
    for (const { pos, message, code } of [...document.errors, ...document.warnings].slice(0, MOST_FAULTS)) {
      const told = code === 'MULTIPLE_DOCS' ? 'The file must be one document' : message
      this.#fail(at(pos[0]), lineFault('yaml_form', told, { yamlCode: code }))
    }
    if (document.errors.length + document.warnings.length > 0) return false
    if (document.contents === null) return true
    this.#lineOf = (node) => at((node as Node | null)?.range?.[0] ?? 0)
    if (isScalar(document.contents) && document.contents.value === '') return true
    if (isMap(document.contents)) for (const pair of document.contents.items) this.#readName(pair)
    else this.#fail(before + 1, lineFault('yaml_map', 'must be a map of names'))
    return true
  }

  #fail(line: number, fault: LineFault): void {
    this.file.errors.push({ line, ...fault })
  }

  #readName({ key, value }: Pair): void {
    const line = this.#lineOf(key)
    const given = isScalar(key) ? String(key.value) : ''
    if (!isScalar(key) || given === '@' || given.endsWith('.')) {
      const message = `${shown(given)} is no name: names are relative, and '' is the apex`
      return this.#fail(line, lineFault('yaml_name', message, { given }))
    }
    const zone = writeName(this.#zone)
    const owner = ownerOf(given === '' ? zone : `${given}.${zone}`, this.#zone)
    if (!owner.ok) return this.#fail(line, faultOfName(owner))
    if (this.#names.has(owner.name))
      return this.#fail(line, lineFault('yaml_name_twice', `${shown(given)} is there twice`, { given }))
    this.#names.add(owner.name)
    for (const entry of isSeq(value) ? value.items : [value]) {
      const begun = isSeq(value) ? this.#lineOf(entry) : line
      const fault = this.#readRecord(owner.name, entry, begun)
      if (fault !== null) this.#fail(begun, told(shown(given), fault))
    }
  }

  #readRecord(name: string, entry: unknown, line: number): LineFault | null {
    if (isAlias(entry)) return ALIAS
    if (!isMap(entry)) return lineFault('yaml_record', 'must be a record or a list of records')
    const plain = plainOf(() => entry.toJS(DOCUMENT, { maxAliasCount: 0 }))
    if (plain === null) return ALIAS
    const { type: given, ttl, value, values = value, octodns = '', ...others } = plain
    const [other] = Object.keys(others)
    if (other !== undefined) return unknownOption(other, shown(other))
    if (typeof given !== 'string') return lineFault('line_no_type', 'has no type')
    const type = readType(given)
    if (type === null) return this.#skip(name, given, line)
    const options = readOptions(octodns)
    if ('rule' in options) return options
    const seconds = ttl ?? String(OCTODNS_TTL)
    if (typeof seconds !== 'string' || !/^[0-9]{1,10}$/.test(seconds) || Number(seconds) > MAX_TTL)
      return lineFault('yaml_seconds', 'ttl must be a number of seconds')
    const list: unknown[] = Array.isArray(values) ? values : [values]
    if (values === undefined || list.length === 0)
      return lineFault('yaml_no_value', `${given} has no value`, { recordType: given })
    const common = { line, name, recordType: type, ttl: options.autoTtl ? null : Number(seconds) }
    for (const one of list) {
      const read = readValue(type, one)
      if ('fault' in read) return told(given, read.fault)
      const priority = priorityOf(type, read.value)
      this.file.records.push({ ...common, value: read.value, priority, proxied: options.proxied })
    }
    return null
  }

  #skip(name: string, type: string, line: number): LineFault | null {
    const isForeign = OWN_TYPES.has(type) || type.includes('/')
    const leftOut = isForeign ? noRecord(type) : whySkipped(type)
    if (leftOut === null) return notAType(type)
    this.file.skipped.push({ line, type, name, ...leftOut })
    return null
  }
}

const ALIAS = lineFault('yaml_alias', 'aliases are not read; write it out')

/** A fault, with where in the line it is. */
const told = (where: string, { message, ...fault }: LineFault): LineFault => ({
  ...fault,
  message: `${where}: ${message}`,
})

const unknownOption = (option: string, written = option): LineFault =>
  lineFault('yaml_option', `${written} is not supported`, { option })

const noRecord = (type: string): LeftOut => ({
  reason: `${shown(type)} is no record of DNS`,
  code: 'type_not_dns',
  params: { recordType: type },
})

/** For nodes that stand for themselves. */
const DOCUMENT = parseDocument('')

function plainOf(read: () => unknown): Record<string, unknown> | null {
  try {
    return read() as Record<string, unknown>
  } catch (error) {
    // Thrown where there is an alias.
    if (error instanceof ReferenceError) return null
    throw error
  }
}

function readValue(type: RecordType, given: unknown): { value: string } | { fault: LineFault } {
  const data = fromOctodns(type, given)
  if ('fault' in data) return data
  const value = typeOf(type).read(data.rdata)
  return value === null ? { fault: whyUnreadable(type, data.rdata) } : { value }
}

/** What stands under `octodns`: proxying and the TTL of the provider's choice; `lenient` changes nothing here. */
function readOptions(given: unknown): { proxied: boolean; autoTtl: boolean } | LineFault {
  if (given === '') return { proxied: false, autoTtl: false }
  if (typeof given !== 'object' || given === null)
    return lineFault('yaml_object', 'octodns must be an object', { field: 'octodns' })
  const { cloudflare = {}, lenient: _lenient, ...others } = given as Record<string, unknown>
  const [other] = Object.keys(others)
  if (other !== undefined) return unknownOption(`octodns.${other}`)
  const { proxied, 'auto-ttl': autoTtl, ...more } = cloudflare as Record<string, unknown>
  const [unknown] = Object.keys(more)
  if (unknown !== undefined) return unknownOption(`octodns.cloudflare.${unknown}`)
  const wrong = [proxied, autoTtl].find((flag) => flag !== undefined && flag !== 'true' && flag !== 'false')
  if (wrong !== undefined) return lineFault('yaml_flag', 'proxied and auto-ttl must be true or false')
  return { proxied: proxied === 'true', autoTtl: autoTtl === 'true' }
}
