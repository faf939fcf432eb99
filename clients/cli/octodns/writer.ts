import { Document, YAMLMap } from 'yaml'
import { looksLikeTtl, readTtl } from '../../../dns/text/ttl.ts'
import { RECORD_TYPES, readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { proxiedIn, readEntries, type Entry } from '../../../dns/zone-file/master-file.ts'
import { absoluteWords } from '../../../dns/zone-file/relative-data.ts'
import { toOctodns, type OctodnsValue } from './values.ts'

/** octoDNS' default TTL in seconds. */
export const OCTODNS_TTL = 3600

/** An RRset as octoDNS has it, with its fields in alphabetical order, as octoDNS requires. */
interface OctodnsRecord {
  octodns?: { cloudflare: { 'auto-ttl'?: true; proxied?: true } }
  ttl?: number
  type: string
  value?: OctodnsValue
  values?: OctodnsValue[]
}

interface ZoneRecord {
  name: string
  recordType: RecordType
  value: string
  /** Seconds; null when the DNS provider chooses. */
  ttl: number | null
  proxied: boolean
}

/**
 * Converts a zone file that the service wrote for `zone` to octoDNS YAML: names in natural order, the apex as '', each
 * with a record or a list of them. Records that the service left out stay in comments.
 */
export function writeOctodns(zonefile: string, zone: string): string {
  const records: ZoneRecord[] = []
  const comments: string[] = []
  // What comes before $ORIGIN is about the zone file itself.
  let isBegun = false
  for (const entry of readEntries(zonefile)) {
    if ('error' in entry) throw new Error(`line ${entry.line}: ${entry.error}`)
    isBegun ||= entry.tokens[0]?.raw === '$ORIGIN'
    const record = recordIn(entry, zone)
    if (record) records.push(record)
    else if (isBegun && entry.comment !== undefined) comments.push(entry.comment)
  }
  const byName = Map.groupBy(records, ({ name }) => (name === '@' ? '' : name))
  const names = [...byName].map(([name, found]) => ({ name, key: naturalKey(name), found }))
  names.sort((a, b) => compareNatural(a.key, b.key))
  // Quoted also where only YAML 1.1, which octoDNS reads, takes a text for something else.
  const document = new Document(null, { version: '1.1', aliasDuplicateObjects: false })
  const map = new YAMLMap()
  for (const { name, found } of names) map.items.push(document.createPair(name, entryOf(found)))
  document.contents = map as never
  const head = [`# Zone ${zone}, in the form of octoDNS`, ...comments.map((line) => `#${line}`), '---', '']
  return head.join('\n') + document.toString({ lineWidth: 0, nullStr: '' })
}

/** Returns the record of an entry as the service writes it; null for directives, the SOA and comments. */
function recordIn({ tokens, comment }: Entry, zone: string): ZoneRecord | null {
  const [name, second, ...rest] = tokens
  if (name === undefined || second === undefined || name.raw.startsWith('$')) return null
  const hasTtl = looksLikeTtl(second.raw)
  const [type, ...data] = hasTtl ? rest.slice(1) : rest
  const recordType = readType(type?.raw ?? '')
  if (recordType === null) return null
  const value = typeOf(recordType).read(absoluteWords(recordType, data, zone))
  if (value === null) throw new Error(`${name.raw} ${recordType} can't be read`)
  const ttl = hasTtl ? readTtl(second.raw) : null
  return { name: name.raw, recordType, value, ttl, proxied: proxiedIn(comment) ?? false }
}

/** Returns the entry of a name: its RRsets, each with one TTL and proxying. */
function entryOf(found: ZoneRecord[]): OctodnsRecord | OctodnsRecord[] {
  const sets = Map.groupBy(found, ({ recordType, ttl, proxied }) => `${recordType} ${ttl} ${proxied}`)
  const written = [...sets.values()]
    .toSorted(([a], [b]) => rank((a as ZoneRecord).recordType) - rank((b as ZoneRecord).recordType))
    .map(setOf)
  return written.length === 1 ? (written[0] as OctodnsRecord) : written
}

function setOf(records: ZoneRecord[]): OctodnsRecord {
  const { recordType, ttl, proxied } = records[0] as ZoneRecord
  const cloudflare = {
    ...(ttl === null && { 'auto-ttl': true as const }),
    ...(proxied && { proxied: true as const }),
  }
  const values = records
    .toSorted((a, b) => compare(a.value, b.value))
    .map(({ value }) => toOctodns(recordType, value))
  return {
    ...(Object.keys(cloudflare).length > 0 && { octodns: { cloudflare } }),
    ...(ttl !== null && ttl !== OCTODNS_TTL && { ttl }),
    type: recordType,
    ...(values.length === 1 ? { value: sorted(values[0] as OctodnsValue) } : { values: values.map(sorted) }),
  }
}

/** Sorts fields alphabetically, at all depths. */
const sorted = (value: OctodnsValue): OctodnsValue =>
  typeof value === 'string'
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .toSorted(([a], [b]) => compare(a, b))
          .map(([key, field]) => [
            key,
            typeof field === 'object' && field !== null && !Array.isArray(field)
              ? (sorted(field) as typeof field)
              : field,
          ]),
      )

/** Splits into texts and numbers in turn: octoDNS requires `a2` before `a10`. */
const naturalKey = (name: string): string[] => name.split(/([0-9]+)/)

function compareNatural(a: string[], b: string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [one, other] = [a[at] ?? '', b[at] ?? '']
    const order = at % 2 === 1 ? Number(one) - Number(other) : compare(one, other)
    if (order !== 0) return order
  }
  return a.length - b.length || compare(a.join(''), b.join(''))
}

const RANKS = new Map<RecordType, number>(RECORD_TYPES.map((type, at) => [type, at]))

/** Types without a name come last. */
const rank = (type: RecordType): number => RANKS.get(type) ?? RANKS.size

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
