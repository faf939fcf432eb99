import { toUnicodeName } from '../../dns/names.ts'
import type { Caller } from '../../plugins/access/index.ts'
import { invalid, notFound } from '../../plugins/errors.ts'
import { openConnection, type ProviderConnection } from '../providers/connection.ts'
import type { Zone } from '../providers/contract.ts'
import { throwProviderFailure } from '../providers/errors.ts'
import { findConfigById, startOf, visibleConfig, type ProviderConfigRow } from '../providers/service.ts'
import type { DomainRow } from './access.ts'
import type { DomainContext } from './context.ts'
import { namesOfConfig } from './queries.ts'

/** The zones at the provider, and which of them are domains here already. */
export async function listZones(context: DomainContext, caller: Caller, configId: string) {
  const config = await visibleConfig(context.db, caller, configId)
  const zones = await openConnection(context, config)
    .call((adapter) => adapter.listZones())
    .catch(throwProviderFailure)
  const domains = new Map((await namesOfConfig(context.db, configId)).map(({ id, name }) => [name, id]))
  return {
    zones: zones
      .map(({ name }) => ({
        name,
        unicodeName: toUnicodeName(name),
        registered: domains.has(name),
        domainId: domains.get(name) ?? null,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** The account in which the domain's zone is. */
export async function connectionOf(
  context: DomainContext,
  domain: Pick<DomainRow, 'provider_config_id'>,
): Promise<ProviderConnection> {
  const config = await findConfigById(context.db, domain.provider_config_id)
  // The foreign key keeps the configuration as long as the domain is there.
  if (!config) throw notFound('provider configuration', domain.provider_config_id)
  return openConnection(context, config)
}

export const zoneOf = (domain: Pick<DomainRow, 'zone_id' | 'name' | 'record_count'>): Zone => ({
  id: domain.zone_id,
  name: domain.name,
  size: domain.record_count,
})

/** The zone of that name; where it is missing it is made if that is wanted, else a 400 says so. */
export async function findOrCreateZone(
  connection: ProviderConnection,
  config: ProviderConfigRow,
  name: string,
  create: boolean,
): Promise<Zone> {
  const found = await connection.call((adapter) => adapter.findZone(name)).catch(throwProviderFailure)
  if (found) return found
  const { name: providerName, capabilities } = connection.provider
  if (!create) {
    const hint = capabilities.createZone ? '; "createZone": true creates it' : ''
    throw invalid({
      path: '/name',
      code: 'zone_missing',
      message: `is no zone at ${providerName} under this configuration${hint}`,
    })
  }
  if (!capabilities.createZone)
    throw invalid({
      path: '/createZone',
      code: 'zone_creation_unsupported',
      message: `is not possible at ${providerName}`,
    })
  if (capabilities.zoneNameServers && config.name_servers.length === 0) {
    const message = `needs name servers: set "nameServers" of the provider configuration ${config.name} first`
    throw invalid({ path: '/createZone', code: 'name_servers_missing', message })
  }
  const zone = startOf(name, { nameServers: config.name_servers, hostmaster: config.hostmaster })
  return connection.change((adapter) => adapter.createZone(zone)).catch(throwProviderFailure)
}

export async function deleteZoneOf(context: DomainContext, domain: DomainRow): Promise<void> {
  const connection = await connectionOf(context, domain)
  if (!connection.provider.capabilities.deleteZone) {
    throw invalid({
      path: '/deleteZone',
      code: 'zone_deletion_unsupported',
      message: `${connection.provider.name} can't delete zones`,
    })
  }
  await connection.change((adapter) => adapter.deleteZone(zoneOf(domain))).catch(throwProviderFailure)
}
