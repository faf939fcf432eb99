import type { Caller } from '../../../plugins/security/access/index.ts'
import { invalid } from '../../../plugins/http/errors.ts'
import { recordScopeOf, type GrantedDomain } from '../../domains/access/access.ts'
import { connectionOf, findZone, refuseRegistered } from '../../domains/service.ts'
import { openConnection } from '../../providers/traffic/connection.ts'
import type { Provider, Zone } from '../../providers/contract.ts'
import { findConfig, type ProviderConfigRow } from '../../providers/configs/service.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { RecordContext } from '../context.ts'
import { toState } from '../list/mapper.ts'
import { allRecords } from '../list/queries.ts'
import type { ProviderRecords } from '../sync/sync-provider.ts'
import { listUnmanaged } from '../sync/unmanaged-queries.ts'
import type { Host } from './adapted.ts'
import type { Holdings } from './copy-plan.ts'

/** Where somebody wants a domain to be. */
export interface Destination {
  providerConfigId: string
  /** Which of several zones of the name. */
  zoneId?: string
}

export interface Target {
  config: ProviderConfigRow
  /** Null: the provider has none of that name. */
  zone: Zone | null
  host: Host
}

export const NOTHING: ProviderRecords = { records: new Map(), total: 0, unmanaged: [] }

/**
 * The account of a configuration that the caller may use, and the zone in it. Rejects with a 400 where there is no such
 * configuration or zone, or the domain is there already, and with 409 where the zone is another domain here.
 */
export async function openTarget(
  context: RecordContext,
  caller: Caller,
  domain: GrantedDomain,
  { providerConfigId, zoneId }: Destination,
): Promise<Target> {
  const config = await usableConfig(context.db, caller, providerConfigId)
  const connection = openConnection(context, config)
  const zone = await findZone(connection, domain.name, zoneId)
  if (zone && config.id === domain.provider_config_id && zone.id === domain.zone_id) {
    const message = 'is where the domain is served from'
    throw invalid({ path: '/providerConfigId', code: 'same_zone', message })
  }
  if (zone) await refuseRegistered(context.db, { config, zone })
  const { provider: from } = await connectionOf(context, domain)
  const { provider } = connection
  const host = { provider, from, defaultTtl: zone?.ttl ?? domain.default_ttl }
  return { config, zone: zone && { ...zone, size: domain.record_count }, host }
}

/** The configuration, when the caller may use it; else a 400. */
export async function usableConfig(db: Executor, caller: Caller, id: string): Promise<ProviderConfigRow> {
  const config = await findConfig(db, caller, id)
  if (config) return config
  const message = 'is none of your provider configurations'
  throw invalid({ path: '/providerConfigId', code: 'unknown_provider_config', message })
}

/** All that the domain has here; `from`: where it is served from. */
export async function holdingsOf(
  db: Executor,
  caller: Caller,
  domain: GrantedDomain,
  from: Provider,
): Promise<Holdings> {
  const scope = recordScopeOf(domain, caller)
  return {
    name: domain.name,
    scope,
    records: (await allRecords(db, domain.id, scope)).map(toState),
    unmanaged: await listUnmanaged(db, domain.id, scope),
    isRead: domain.last_synced_at !== null || from.capabilities.truth === 'local',
  }
}
