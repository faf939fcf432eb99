import { domainToASCII } from 'node:url'
import type { Zonekeeper } from './typescript/index.ts'
import { every } from './typescript/paging.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isId = (text: string): boolean => UUID.test(text)

/** Returns a name as the API has it: lower case, punycode, no final dot. */
export function asciiOf(name: string): string {
  const bare = name.toLowerCase().replace(/\.$/, '')
  return domainToASCII(bare) || bare
}

/** No domain, or more than one, has the name. */
export class DomainNotFound extends Error {
  override readonly name = 'DomainNotFound'
  /** Domains of that name, at different provider connections. */
  readonly ids: string[]

  constructor(name: string, ids: string[]) {
    super(
      ids.length === 0
        ? `Domain ${name} not found, or not visible to this token`
        : `Several domains are named ${name}; use an id (${ids.join(', ')})`,
    )
    this.ids = ids
  }
}

/** Page size of the search for a name. */
const LIMIT = 200

/** Finds a domain by name (Unicode or punycode, with or without final dot) or id. Rejects with DomainNotFound. */
export async function findDomain(
  client: Zonekeeper,
  nameOrId: string,
): Promise<{ id: string; name: string }> {
  if (isId(nameOrId)) return client.GET('/api/v1/domains/{id}', { path: { id: nameOrId } })
  const name = asciiOf(nameOrId)
  const found: { id: string; name: string }[] = []
  const list = every('domains', (page) =>
    client.GET('/api/v1/domains', { query: { search: name, limit: LIMIT, ...page } }),
  )
  for await (const domain of list) if (domain.name === name) found.push(domain)
  const [domain, ...others] = found
  if (domain && others.length === 0) return domain
  throw new DomainNotFound(
    nameOrId,
    found.map(({ id }) => id),
  )
}
