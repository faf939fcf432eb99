import type { Zonekeeper } from '../../../typescript/index.ts'
import { isId } from '../../../domain-names.ts'
import { EXIT, CliError } from '../../failures.ts'

/** Finds the id of a provider connection by name or id. */
export async function findProvider(client: Zonekeeper, nameOrId: string): Promise<string> {
  if (isId(nameOrId)) return nameOrId
  const { providerConfigs } = await client.GET('/api/v1/provider-configs')
  const ids = providerConfigs.filter(({ name }) => name === nameOrId).map(({ id }) => id)
  const [id, ...others] = ids
  if (id === undefined) throw new CliError(EXIT.notFound, `Provider connection ${nameOrId} not found`)
  if (others.length === 0) return id
  throw new CliError(
    EXIT.usage,
    `Several provider connections are named ${nameOrId}; use an id (${ids.join(', ')})`,
  )
}
