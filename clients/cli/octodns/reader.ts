import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, type Node, type Pair } from 'yaml'
import { shown } from '../../../dns/text/messages.ts'
import { checkValue, readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { isOtherType } from '../../../dns/types/other-types.ts'
import { writeName } from '../../../dns/wire/wire-name.ts'
import { proxiedComment } from '../../../dns/zone-file/master-file.ts'
import { ownerOf } from '../../../dns/zone-file/relative-data.ts'
import { fromOctodns, OctodnsFault } from './values.ts'
import { OCTODNS_TTL } from './writer.ts'

const MAX_TTL = 2_147_483_647

/** octoDNS' own types, which DNS does not have. */
const OWN_TYPES = new Set(['SPF', 'URLFWD'])

/** A zone as octoDNS YAML says it. Lines are those of the YAML. */
export interface OctodnsFile {
  /** The records as a zone file for the service. */
  zonefile: string
  /** Records of types that are not managed. */
  skipped: { line: number; name: string; type: string; reason: string }[]
  /** With any of these, `zonefile` lacks what could not be read. */
  errors: { line: number; message: string }[]
}

/**
 * Converts octoDNS YAML to a zone file for `zone` (a canonical name). As in octoDNS, names are relative, '' is the apex
 * and targets end with a dot. Options that records here can't have (geo, dynamic, …), aliases and tags are errors.
 */
export function readOctodns(text: string, zone: string): OctodnsFile {
  const lineCounter = new LineCounter()
  const lineAt = (offset = 0) => Math.max(lineCounter.linePos(offset).line, 1)
  // Each scalar is a text: 0x10 and "no" mean what is written.
  const document = parseDocument(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    // "silent" would also drop a second document silently.
    logLevel: 'error',
    lineCounter,
  })
  const faults = [...document.errors, ...document.warnings]
  const reader = new OctodnsReader(zone, (node) => lineAt((node as Node | null)?.range?.[0]))
  if (faults.length > 0)
    for (const { pos, message, code } of faults)
      reader.fail(lineAt(pos[0]), code === 'MULTIPLE_DOCS' ? 'The file must be one document' : message)
  else if (isMap(document.contents)) for (const pair of document.contents.items) reader.readName(pair)
  else if (document.contents !== null && !isEmptyText(document.contents))
    reader.fail(1, 'The file must be a map of names')
  return reader.file()
}

const isEmptyText = (node: unknown) => isScalar(node) && node.value === ''

class OctodnsReader {
  readonly #zone: string
  readonly #lineOf: (node: unknown) => number
  readonly #names = new Set<string>()
  readonly #skipped: OctodnsFile['skipped'] = []
  readonly #errors: OctodnsFile['errors'] = []
  /** Without a TTL, which the DNS provider then chooses: only before all others does a zone file say none. */
  readonly #withoutTtl: string[] = []
  readonly #withTtl: string[] = []

  constructor(zone: string, lineOf: (node: unknown) => number) {
    this.#zone = zone
    this.#lineOf = lineOf
  }

  file(): OctodnsFile {
    const lines = [`$ORIGIN ${writeName(this.#zone)}`, ...this.#withoutTtl, ...this.#withTtl]
    return { zonefile: `${lines.join('\n')}\n`, skipped: this.#skipped, errors: this.#errors }
  }

  fail(line: number, message: string): void {
    this.#errors.push({ line, message })
  }

  readName({ key, value }: Pair): void {
    const line = this.#lineOf(key)
    const given = isScalar(key) ? String(key.value) : ''
    if (!isScalar(key) || given === '@' || given.endsWith('.'))
      return this.fail(line, `${shown(given)} is not a name: names are relative, and '' is the apex`)
    const zone = writeName(this.#zone)
    const owner = ownerOf(given === '' ? zone : `${given}.${zone}`, this.#zone)
    if (!owner.ok) return this.fail(line, owner.reason)
    if (this.#names.has(owner.name)) return this.fail(line, `${shown(given)} occurs twice`)
    this.#names.add(owner.name)
    for (const entry of isSeq(value) ? value.items : [value]) {
      const begin = isSeq(value) ? this.#lineOf(entry) : line
      try {
        this.#readRecords(owner.name, entry, begin)
      } catch (error) {
        if (!(error instanceof OctodnsFault)) throw error
        this.fail(begin, `${shown(given)}: ${error.message}`)
      }
    }
  }

  #readRecords(name: string, entry: unknown, line: number): void {
    const { type: given, ttl = String(OCTODNS_TTL), value, values = value, ...more } = fieldsOf(entry)
    const { octodns = '', ...others } = more
    const [other] = Object.keys(others)
    if (other !== undefined) throw new OctodnsFault(`${shown(other)} is not supported`)
    if (typeof given !== 'string') throw new OctodnsFault('has no type')
    const type = OWN_TYPES.has(given) ? null : readType(given)
    if (type === null) return this.#skip(name, given, line)
    const { proxied, autoTtl } = readOptions(octodns)
    if (typeof ttl !== 'string' || !/^[0-9]{1,10}$/.test(ttl) || Number(ttl) > MAX_TTL)
      throw new OctodnsFault('ttl must be a number of seconds')
    const list: unknown[] = Array.isArray(values) ? values : [values]
    if (values === undefined || list.length === 0) throw new OctodnsFault(`${given} has no value`)
    for (const one of list) {
      const seconds = autoTtl ? '' : Number(ttl)
      const line = `${name}\t${seconds}\tIN\t${type}\t${readValue(type, one)}\t${proxiedComment(proxied)}`
      ;(autoTtl ? this.#withoutTtl : this.#withTtl).push(line)
    }
  }

  #skip(name: string, type: string, line: number): void {
    const isForeign = OWN_TYPES.has(type) || type.includes('/')
    if (!isForeign && !isOtherType(type)) throw new OctodnsFault(`${shown(type)} is not a record type`)
    const reason =
      type === 'SOA'
        ? 'the SOA belongs to the DNS provider'
        : isForeign
          ? 'the type does not exist in DNS'
          : 'the type is not managed'
    this.#skipped.push({ line, name, type, reason })
  }
}

/** For nodes that are read on their own. */
const DOCUMENT = parseDocument('')

function fieldsOf(entry: unknown): Record<string, unknown> {
  const aliases = 'aliases are not supported; write the value out'
  if (isAlias(entry)) throw new OctodnsFault(aliases)
  if (!isMap(entry)) throw new OctodnsFault('must be a record or a list of records')
  try {
    return entry.toJS(DOCUMENT, { maxAliasCount: 0 }) as Record<string, unknown>
  } catch (error) {
    if (error instanceof ReferenceError) throw new OctodnsFault(aliases)
    throw error
  }
}

/** Returns the presentation data of a value. */
function readValue(type: RecordType, given: unknown): string {
  const rdata = fromOctodns(type, given)
  const value = typeOf(type).read(rdata)
  if (value !== null) return typeOf(type).write(value)
  const check = checkValue(type, rdata)
  const faults = check.ok ? [`${shown(rdata)} can't be read`] : check.errors.map(({ message }) => message)
  throw new OctodnsFault(`${type}: ${faults.join('; ')}`)
}

/** Reads the `octodns` object: proxying, and whether the DNS provider chooses the TTL. `lenient` changes nothing here. */
function readOptions(given: unknown): { proxied: boolean; autoTtl: boolean } {
  if (given === '') return { proxied: false, autoTtl: false }
  if (typeof given !== 'object' || given === null) throw new OctodnsFault('octodns must be an object')
  const { cloudflare = {}, lenient: _lenient, ...others } = given as Record<string, unknown>
  const { proxied, 'auto-ttl': autoTtl, ...more } = cloudflare as Record<string, unknown>
  const [other] = [
    ...Object.keys(others).map((key) => `octodns.${key}`),
    ...Object.keys(more).map((key) => `octodns.cloudflare.${key}`),
  ]
  if (other !== undefined) throw new OctodnsFault(`${other} is not supported`)
  if ([proxied, autoTtl].some((flag) => flag !== undefined && flag !== 'true' && flag !== 'false'))
    throw new OctodnsFault('proxied and auto-ttl must be true or false')
  return { proxied: proxied === 'true', autoTtl: autoTtl === 'true' }
}
