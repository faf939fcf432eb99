import { asciiOf } from '../domain-names.ts'
import type { DnsRecord, RecordChanges, Zonekeeper } from '../typescript/index.ts'
import { every } from '../typescript/paging.ts'

export type RequestedChange = RecordChanges['changes'][number]

const LIMIT = 1000

/**
 * Returns the records of a name, of one type or all. The name is interpreted as the service does: relative first, and if
 * there are no records, as a full name below the domain.
 */
export async function readRrset(
  client: Zonekeeper,
  domain: { id: string; name: string },
  name: string,
  type: string | undefined,
): Promise<DnsRecord[]> {
  const found = new Map<string, DnsRecord[]>(readings(name, domain.name).map((reading) => [reading, []]))
  // The shortest name occurs in all of them; the apex has no text to search for.
  const [search] = [...found.keys()].sort((a, b) => a.length - b.length)
  const filters = {
    limit: LIMIT,
    ...(search !== '@' && { search: search as string }),
    ...(type !== undefined && { type: [type] }),
  }
  const list = every('records', (page) =>
    client.GET('/api/v1/domains/{id}/records', { path: { id: domain.id }, query: { ...filters, ...page } }),
  )
  for await (const record of list) found.get(record.name.toLowerCase())?.push(record)
  return [...found.values()].find((records) => records.length > 0) ?? []
}

/** Returns the names that the input may mean in a domain, the relative one first. */
function readings(name: string, domain: string): string[] {
  const ascii = asciiOf(name)
  const short =
    ascii === domain ? '@' : ascii.endsWith(`.${domain}`) ? ascii.slice(0, -domain.length - 1) : ascii
  return name.endsWith('.') ? [short] : [...new Set([ascii, short])]
}

/** Sets the values of a name and type; the service also deletes records that only the DNS provider has. */
export const changeToSet = (
  recordType: string,
  name: string,
  values: string[],
  more: { ttl?: number } = {},
): RequestedChange => ({ action: 'set', recordType: recordType, name, values, ...more })
