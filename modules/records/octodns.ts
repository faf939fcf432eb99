import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml'
import { shown } from '../../dns/messages.ts'
import { priorityOf, readType, typeOf, type RecordType } from '../../dns/types/index.ts'
import { writeName } from '../../dns/wire-name.ts'
import { inSlices } from '../../plugins/event-loop.ts'
import { fromOctodns } from './octodns-values.ts'
import { OCTODNS_TTL } from './octodns-writer.ts'
import { isFull, ownerOf, whySkipped, whyUnreadable, type ZoneFile } from './zonefile.ts'

/** Parsed in one go; more than any one name has. */
const MAX_PART = 256 * 1024
/** Parts are at least so large, where names end. */
const PART = 16 * 1024

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
  await inSlices(partsOf(text), ({ line, text }) => {
    reader.read(text, line)
    return !isFull(reader.file, line)
  })
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

  read(text: string, before: number): void {
    if (text.length > MAX_PART) return this.#fail(before + 1, 'has an entry that is too large')
    const lineCounter = new LineCounter()
    const at = (offset: number) => before + Math.max(lineCounter.linePos(offset).line, 1)
    // Each scalar as a text: 0x10 or "no" is what stands there.
    const document = parseDocument(text, {
      schema: 'failsafe',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
      lineCounter,
    })
    for (const { pos, message } of [...document.errors, ...document.warnings]) this.#fail(at(pos[0]), message)
    if (document.errors.length + document.warnings.length > 0 || document.contents === null) return
    this.#lineOf = (node) => at((node as Node | null)?.range?.[0] ?? 0)
    if (isScalar(document.contents) && document.contents.value === '') return
    if (!isMap(document.contents)) return this.#fail(before + 1, 'must be a map of names')
    for (const pair of document.contents.items) this.#readName(pair)
  }

  #fail(line: number, message: string): void {
    this.file.errors.push({ line, message })
  }

  #readName({ key, value }: Pair): void {
    const line = this.#lineOf(key)
    const given = isScalar(key) ? String(key.value) : ''
    if (!isScalar(key) || given === '@' || given.endsWith('.'))
      return this.#fail(line, `${shown(given)} is no name: names are relative, and '' is the apex`)
    const zone = writeName(this.#zone)
    const owner = ownerOf(given === '' ? zone : `${given}.${zone}`, this.#zone)
    if (!owner.ok) return this.#fail(line, owner.reason)
    if (this.#names.has(owner.name)) return this.#fail(line, `${shown(given)} is there twice`)
    this.#names.add(owner.name)
    for (const entry of isSeq(value) ? value.items : [value]) {
      const begun = isSeq(value) ? this.#lineOf(entry) : line
      const fault = this.#readRecord(owner.name, entry, begun)
      if (fault !== null) this.#fail(begun, `${shown(given)}: ${fault}`)
    }
  }

  #readRecord(name: string, entry: unknown, line: number): string | null {
    if (isAlias(entry)) return 'aliases are not read; write it out'
    if (!isMap(entry)) return 'must be a record or a list of records'
    const plain = plainOf(() => entry.toJS(DOCUMENT, { maxAliasCount: 0 }))
    if (plain === null) return 'aliases are not read; write it out'
    const { type: given, ttl, value, values = value, octodns = '', ...others } = plain
    const [other] = Object.keys(others)
    if (other !== undefined) return `${shown(other)} is not supported`
    if (typeof given !== 'string') return 'has no type'
    const type = readType(given)
    if (type === null) return this.#skip(name, given, line)
    const options = readOptions(octodns)
    if (typeof options === 'string') return options
    const seconds = ttl ?? String(OCTODNS_TTL)
    if (typeof seconds !== 'string' || !/^[0-9]{1,10}$/.test(seconds) || Number(seconds) > MAX_TTL)
      return 'ttl must be a number of seconds'
    const list: unknown[] = Array.isArray(values) ? values : [values]
    if (values === undefined || list.length === 0) return `${given} has no value`
    const common = { line, name, recordType: type, ttl: options.autoTtl ? null : Number(seconds) }
    for (const one of list) {
      const read = readValue(type, one)
      if ('fault' in read) return `${given}: ${read.fault}`
      const priority = priorityOf(type, read.value)
      this.file.records.push({ ...common, value: read.value, priority, proxied: options.proxied })
    }
    return null
  }

  #skip(name: string, type: string, line: number): string | null {
    const isForeign = OWN_TYPES.has(type) || type.includes('/')
    const reason = isForeign ? `${shown(type)} is no record of DNS` : whySkipped(type)
    if (reason === null) return `${shown(type)} is not a record type`
    this.file.skipped.push({ line, type, name, reason })
    return null
  }
}

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

function readValue(type: RecordType, given: unknown): { value: string } | { fault: string } {
  const data = fromOctodns(type, given)
  if ('fault' in data) return data
  const value = typeOf(type).read(data.rdata)
  return value === null ? { fault: whyUnreadable(type, data.rdata) } : { value }
}

/** What stands under `octodns`: proxying and the TTL of the provider's choice; `lenient` changes nothing here. */
function readOptions(given: unknown): { proxied: boolean; autoTtl: boolean } | string {
  if (given === '') return { proxied: false, autoTtl: false }
  if (typeof given !== 'object' || given === null) return 'octodns must be an object'
  const { cloudflare = {}, lenient: _lenient, ...others } = given as Record<string, unknown>
  const [other] = Object.keys(others)
  if (other !== undefined) return `octodns.${other} is not supported`
  const { proxied, 'auto-ttl': autoTtl, ...more } = cloudflare as Record<string, unknown>
  const [unknown] = Object.keys(more)
  if (unknown !== undefined) return `octodns.cloudflare.${unknown} is not supported`
  const wrong = [proxied, autoTtl].find((flag) => flag !== undefined && flag !== 'true' && flag !== 'false')
  if (wrong !== undefined) return 'proxied and auto-ttl must be true or false'
  return { proxied: proxied === 'true', autoTtl: autoTtl === 'true' }
}
