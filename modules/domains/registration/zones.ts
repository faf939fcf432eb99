import type { Executor } from '../../../db/connection/connect.ts'
import { toUnicodeName } from '../../../dns/names/names.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict, invalid, notFound } from '../../../plugins/http/errors.ts'
import { openConnection, type ProviderConnection } from '../../providers/traffic/connection.ts'
import type { DnsAdapter, Provider, Zone } from '../../providers/contract.ts'
import type { ProviderLimits } from '../../providers/traffic/limits.ts'
import { throwProviderFailure } from '../../providers/errors.ts'
import {
  findConfigById,
  startOf,
  visibleConfig,
  type ProviderConfigRow,
} from '../../providers/configs/service.ts'
import { isSufficient, seesDomain, type DomainRow } from '../access/access.ts'
import type { DomainContext } from '../context.ts'
import { mirrorZonesOf, zonesOfConfig } from '../queries.ts'

/** Lists the zones at the provider, with whether each is registered or a mirror. */
export async function listZones(context: DomainContext, caller: Caller, configId: string) {
  const config = await visibleConfig(context.db, caller, configId)
  const zones = await openConnection(context, config).call(zonesOf).catch(throwProviderFailure)
  context.listedZones.keep(config, zones)
  const rows = await zonesOfConfig(context.db, configId)
  const mirrors = new Map(
    (await mirrorZonesOf(context.db, caller, configId)).map(({ zone_id: zoneId, ...domain }) => [
      zoneId,
      // As for reading the mirrors of the domain.
      seesDomain(domain, caller) && isSufficient(domain, caller, 'readAll') ? domain.id : null,
    ]),
  )
  const domains = new Map(rows.map(({ id, zone_id: zoneId }) => [zoneId, id]))
  return {
    zones: zones
      .map(({ id, name, nameServers, status, kind }) => ({
        id,
        name,
        unicodeName: toUnicodeName(name),
        nameServers: nameServers ?? null,
        status: status ?? null,
        kind: kind ?? null,
        registered: domains.has(id),
        domainId: domains.get(id) ?? null,
        mirrored: mirrors.has(id),
        mirrorOf: mirrors.get(id) ?? null,
      }))
      .sort((a, b) => (a.name < b.name || (a.name === b.name && a.id < b.id) ? -1 : 1)),
  }
}

async function zonesOf(adapter: DnsAdapter): Promise<Zone[]> {
  const zones: Zone[] = []
  for await (const page of adapter.listZones()) zones.push(...page)
  return zones
}

/** Returns the provider connection of a domain. */
export async function connectionOf(
  context: DomainContext,
  domain: Pick<DomainRow, 'provider_config_id'>,
  { db = context.db, ...options }: { db?: Executor; limits?: ProviderLimits } = {},
): Promise<ProviderConnection> {
  const config = await findConfigById(db, domain.provider_config_id)
  // The foreign key guarantees the configuration.
  if (!config) throw notFound('provider configuration', domain.provider_config_id)
  return openConnection(context, config, options)
}

export const zoneOf = (domain: Pick<DomainRow, 'zone_id' | 'name' | 'record_count'>): Zone => ({
  id: domain.zone_id,
  name: domain.name,
  size: domain.record_count,
})

/**
 * Finds a zone by name (and id); null: none. Rejects with 400 if none has that id, or several have the name.
 */
export async function findZone(
  connection: ProviderConnection,
  name: string,
  zoneId: string | undefined,
): Promise<Zone | null> {
  const zones = await connection.call((adapter) => adapter.findZones(name)).catch(throwProviderFailure)
  const found = zoneId === undefined ? zones : zones.filter(({ id }) => id === zoneId)
  if (found.length > 1) throw severalZones(found)
  if (zoneId !== undefined && !found[0])
    throw invalid({
      path: '/zoneId',
      code: 'zone_missing',
      message: `is not a zone of this name at ${connection.provider.name} with this provider configuration`,
    })
  return found[0] ?? null
}

interface ZoneOptions {
  zoneId: string | undefined
  create: boolean
  /** Rejects with 409 if the provider has the zone. */
  onlyNew?: boolean | undefined
  /** Canonical names for a zone that is created; by default those of the configuration. */
  nameServers?: string[] | undefined
}

/** Finds a zone, or creates it if requested. */
export async function findOrCreateZone(
  connection: ProviderConnection,
  config: ProviderConfigRow,
  name: string,
  { zoneId, create, onlyNew = false, nameServers = config.name_servers }: ZoneOptions,
): Promise<Zone> {
  const found = await findZone(connection, name, zoneId)
  if (found && onlyNew && connection.provider.capabilities.truth !== 'local')
    throw zoneThere(connection.provider, name)
  if (found) return found
  if (!create) throw zoneMissing(connection.provider, '/name')
  const start = { ...config, name_servers: nameServers }
  requireCreatable(connection.provider, start)
  return createZone(connection, start, name)
}

/** Error for a missing zone, at that field of the body. */
export const zoneMissing = ({ name, capabilities }: Provider, path: string) =>
  invalid({
    path,
    code: 'zone_missing',
    message: `is not a zone at ${name} with this provider configuration${
      capabilities.createZone ? '; "createZone": true creates it' : ''
    }`,
  })

const zoneThere = ({ name: provider }: Provider, name: string) =>
  conflict(`${provider} already has a zone ${name} with this provider configuration; import it instead`, {
    errors: [{ path: '/name', code: 'registered', message: `is already a zone at ${provider}` }],
  })

/** Rejects with 400 if zones can't be created with that configuration. */
export function requireCreatable({ name, capabilities }: Provider, config: ProviderConfigRow): void {
  if (!capabilities.createZone)
    throw invalid({
      path: '/createZone',
      code: 'zone_creation_unsupported',
      message: `is not possible at ${name}`,
    })
  if (capabilities.zoneNameServers && config.name_servers.length === 0) {
    const message = `needs name servers: set "nameServers" of the provider configuration ${config.name} first`
    throw invalid({ path: '/createZone', code: 'name_servers_missing', message })
  }
}

/** Creates the zone with the configuration's defaults. */
export function createZone(
  connection: ProviderConnection,
  config: ProviderConfigRow,
  name: string,
): Promise<Zone> {
  const zone = startOf(name, { nameServers: config.name_servers, hostmaster: config.hostmaster })
  return connection.change((adapter) => adapter.createZone(zone)).catch(throwProviderFailure)
}

const severalZones = (zones: Zone[]) =>
  invalid({
    path: '/zoneId',
    code: 'several_zones',
    message: `is required because ${zones.length} zones have this name: ${zones.map(({ id }) => id).join(', ')}`,
    params: { zoneIds: zones.map(({ id }) => id) },
  })

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
