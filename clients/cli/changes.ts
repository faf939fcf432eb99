import { asciiOf } from '../domain-names.ts'
import type { DnsRecord, RecordChanges, Zonekeeper } from '../typescript/index.ts'
import { every } from '../typescript/paging.ts'

export type Change = RecordChanges['changes'][number]

const LIMIT = 1000

/**
 * The records at a name, of one type or all. The name is read as the service reads it: as it stands, and where there
 * is nothing, as a full name under the domain.
 */
export async function readRrset(
  client: Zonekeeper,
  domain: { id: string; name: string },
  name: string,
  type: string | undefined,
): Promise<DnsRecord[]> {
  const found = new Map<string, DnsRecord[]>(readings(name, domain.name).map((reading) => [reading, []]))
  // What all readings have in common; the apex has no text of its own to search for.
  const [search] = [...found.keys()].sort((a, b) => a.length - b.length)
  const filters = {
    limit: LIMIT,
    ...(search !== '@' && { search: search as string }),
    ...(type !== undefined && { type: [type] }),
  }
  const list = every('records', (place) => client.listRecords(domain.id, { ...filters, ...place }))
  for await (const record of list) found.get(record.name.toLowerCase())?.push(record)
  return [...found.values()].find((records) => records.length > 0) ?? []
}

/** What a name of a record may mean in a domain: first as it stands. */
function readings(name: string, domain: string): string[] {
  const ascii = asciiOf(name)
  const short =
    ascii === domain ? '@' : ascii.endsWith(`.${domain}`) ? ascii.slice(0, -domain.length - 1) : ascii
  return name.endsWith('.') ? [short] : [...new Set([ascii, short])]
}

interface Wanted {
  name: string
  recordType: string
  values: string[]
  ttl?: number
}

/**
 * The changes that make these the values of a name and type: records whose value goes become those whose value comes,
 * so that they keep their comments; the rest is deleted or created.
 */
export function changesToHave(there: DnsRecord[], { name, recordType, values, ttl }: Wanted): Change[] {
  const key = (value: string) => plain(recordType, value)
  const wanted = new Map(values.map((value) => [key(value), value]))
  const stays = there.filter(({ value }) => wanted.has(key(value)))
  const goes = there.filter((record) => !stays.includes(record))
  const kept = new Set(stays.map(({ value }) => key(value)))
  const comes = [...wanted].filter(([one]) => !kept.has(one)).map(([, value]) => value)
  const withTtl = ttl === undefined ? {} : { ttl }
  const at = ({ id, version }: DnsRecord) => ({ recordId: id, version })
  return [
    ...stays
      .filter((record) => ttl !== undefined && record.ttl !== ttl)
      .map((record) => ({ action: 'update' as const, ...at(record), ttl: ttl as number })),
    ...goes.map((record, index) => {
      const value = comes[index]
      return value === undefined
        ? { action: 'delete' as const, ...at(record) }
        : { action: 'update' as const, ...at(record), value, ...withTtl }
    }),
    ...comes
      .slice(goes.length)
      .map((value) => ({ action: 'create' as const, recordType, name, value, ...withTtl })),
  ]
}

/** What names hosts or addresses: case and a final dot mean nothing. */
const HOSTS = new Set(['A', 'AAAA', 'ALIAS', 'ANAME', 'CNAME', 'DNAME', 'MX', 'NS', 'PTR', 'SRV'])

/** The same for values that are written differently and mean the same. */
const plain = (recordType: string, value: string) =>
  HOSTS.has(recordType) ? value.trim().toLowerCase().replace(/\.$/, '') : value
