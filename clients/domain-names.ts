import { domainToASCII } from 'node:url'
import type { Zonekeeper } from './typescript/index.ts'
import { every } from './typescript/paging.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isId = (text: string): boolean => UUID.test(text)

/** As the API has it: lower case, punycode, no final dot. */
export function asciiOf(name: string): string {
  const bare = name.toLowerCase().replace(/\.$/, '')
  return domainToASCII(bare) || bare
}

/** That a name means no domain, or not one alone. */
export class DomainNotFound extends Error {
  override readonly name = 'DomainNotFound'
  /** Those of that name, with different provider configurations. */
  readonly ids: string[]

  constructor(name: string, ids: string[]) {
    super(
      ids.length === 0
        ? `There is no domain ${name} that this token may see`
        : `There are several domains ${name}: say which by its id (${ids.join(', ')})`,
    )
    this.ids = ids
  }
}

/** Of a page that is looked through for a name. */
const LIMIT = 200

/** The domain of this name (Unicode or punycode, a final dot does not matter) or id. Rejects with DomainNotFound. */
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
