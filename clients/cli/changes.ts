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
  const list = every('records', (page) =>
    client.GET('/api/v1/domains/{id}/records', { path: { id: domain.id }, query: { ...filters, ...page } }),
  )
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

/** Makes these the values of a name and type; the service also removes what only the provider knows. */
export const changeToSet = (
  recordType: string,
  name: string,
  values: string[],
  more: { ttl?: number } = {},
): Change => ({ action: 'set', recordType: recordType, name, values, ...more })
