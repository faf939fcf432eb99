import { domainToASCII } from 'node:url'
import type { DomainListItem, Zonekeeper } from '../typescript/index.ts'
import { every } from '../typescript/paging.ts'
import { EXIT, Failure } from './failures.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isId = (text: string): boolean => UUID.test(text)

/** Of a page that is looked through for a name. */
const LIMIT = 200

/**
 * The domain of this name (Unicode or punycode, a final dot does not matter) or id. Rejects with Failure when there is none, or
 * several: with different provider configurations.
 */
export async function findDomain(
  client: Zonekeeper,
  nameOrId: string,
): Promise<{ id: string; name: string }> {
  if (isId(nameOrId)) return client.getDomain(nameOrId)
  const name = asciiOf(nameOrId)
  const found: DomainListItem[] = []
  const list = every('domains', (place) => client.listDomains({ search: name, limit: LIMIT, ...place }))
  for await (const domain of list) if (domain.name === name) found.push(domain)
  const [domain, ...others] = found
  if (!domain) throw new Failure(EXIT.notFound, `There is no domain ${nameOrId}`)
  if (others.length === 0) return domain
  const ids = found.map(({ id }) => id).join(', ')
  throw new Failure(EXIT.usage, `There are ${found.length} domains ${nameOrId}: name one by its id (${ids})`)
}

/** As the API has it: lower case, punycode, no final dot. */
const asciiOf = (name: string) => {
  const bare = name.toLowerCase().replace(/\.$/, '')
  return domainToASCII(bare) || bare
}

/** What a name of a record may mean in a domain: first as it stands. */
export function readings(name: string, domain: string): string[] {
  const ascii = asciiOf(name)
  const short =
    ascii === domain ? '@' : ascii.endsWith(`.${domain}`) ? ascii.slice(0, -domain.length - 1) : ascii
  return name.endsWith('.') ? [short] : [...new Set([ascii, short])]
}
