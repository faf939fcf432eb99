import { domainToASCII } from 'node:url'
import type { Zonekeeper } from '../typescript/index.ts'
import { Refusal } from './errors.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Domains at a time, of those whose names contain what is looked for. */
const LIMIT = 200
const MAX_PAGES = 5

/** The id of the domain of that name (Unicode or punycode) or id. Rejects with Refusal when there is none, or several. */
export async function findDomain(
  client: Zonekeeper,
  nameOrId: string,
): Promise<{ id: string; name: string }> {
  if (UUID.test(nameOrId)) return client.getDomain(nameOrId)
  const bare = nameOrId.toLowerCase().replace(/\.$/, '')
  const name = domainToASCII(bare) || bare
  const found: { id: string; name: string }[] = []
  for (let page = 1, total = Infinity; (page - 1) * LIMIT < total; page++) {
    if (page > MAX_PAGES)
      throw new Refusal(`Too many domains have ${name} in their name: say which by its id`)
    const answer = await client.listDomains({ search: name, limit: LIMIT, page })
    found.push(...answer.domains.filter((domain) => domain.name === name))
    total = answer.total
  }
  const [domain, ...others] = found
  if (!domain) throw new Refusal(`There is no domain ${name} that this token may see`)
  if (others.length === 0) return domain
  throw new Refusal(
    `There are several domains ${name}: say which by its id (${found.map(({ id }) => id).join(', ')})`,
  )
}
