import { Document, YAMLMap } from 'yaml'
import { inSlices } from '../../../plugins/http/event-loop.ts'
import { toOctodns, type OctodnsValue } from './octodns-values.ts'
import { compare, leftOutOf, rank, type ExportedRecord, type ZoneFileInput } from './zonefile-writer.ts'

/** Seconds, of what says none: octoDNS' own default. */
export const OCTODNS_TTL = 3600

/** One set of records as octoDNS has it; its members in the order of the alphabet, as its reader wants them. */
interface OctodnsRecord {
  octodns?: { cloudflare: { 'auto-ttl'?: true; proxied?: true } }
  ttl?: number
  type: string
  value?: OctodnsValue
  values?: OctodnsValue[]
}

/** Names that are written in one go. */
const AT_ONCE = 50

/**
 * The zone in octoDNS' YAML: names in natural order, the apex as '', each with a record or a list of them. What it
 * can't say is in comments, as in a master file. Reading it for the same zone gives the same records.
 */
export async function formatOctodns({ zone, records, ...left }: ZoneFileInput): Promise<string> {
  const byName = Map.groupBy(records, ({ name }) => (name === '@' ? '' : name))
  const names = [...byName].map(([name, found]) => ({ name, key: naturalKey(name), found }))
  names.sort((a, b) => compareNatural(a.key, b.key))
  const parts = [
    `# Zone ${zone}, in the form of octoDNS\n`,
    ...leftOutOf(left).map((line) => `# ${line}`),
    '---\n',
  ]
  const groups = Array.from({ length: Math.ceil(names.length / AT_ONCE) }, (_, at) =>
    names.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  )
  await inSlices(groups, (group) => {
    // Quoted also where only YAML 1.1, which octoDNS reads, takes a text for something else.
    const document = new Document(null, { version: '1.1', aliasDuplicateObjects: false })
    const map = new YAMLMap()
    for (const { name, found } of group) map.items.push(document.createPair(name, entryOf(found)))
    document.contents = map as never
    parts.push(document.toString({ lineWidth: 0, nullStr: '' }))
  })
  return parts.join('')
}

/** The records of a name: each set of them, by what all of it have in common. */
function entryOf(found: ExportedRecord[]): OctodnsRecord | OctodnsRecord[] {
  const sets = Map.groupBy(found, ({ recordType, ttl, proxied = false }) => `${recordType} ${ttl} ${proxied}`)
  const written = [...sets.values()]
    .toSorted(([a], [b]) => rank((a as ExportedRecord).recordType) - rank((b as ExportedRecord).recordType))
    .map(setOf)
  return written.length === 1 ? (written[0] as OctodnsRecord) : written
}

function setOf(records: ExportedRecord[]): OctodnsRecord {
  const { recordType, ttl, proxied = false } = records[0] as ExportedRecord
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

/** Members in the order of the alphabet. */
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

/** Text and numbers in turn: octoDNS wants `a2` before `a10`. */
const naturalKey = (name: string): string[] => name.split(/([0-9]+)/)

function compareNatural(a: string[], b: string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [one, other] = [a[at] ?? '', b[at] ?? '']
    const order = at % 2 === 1 ? Number(one) - Number(other) : compare(one, other)
    if (order !== 0) return order
  }
  return a.length - b.length || compare(a.join(''), b.join(''))
}
