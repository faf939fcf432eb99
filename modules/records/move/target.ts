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
import type { CopyTarget } from './adapted.ts'
import type { Holdings } from './copy-plan.ts'

/** The provider connection and zone to move a domain to. */
export interface Destination {
  providerConfigId: string
  /** Selects one of several zones of the name. */
  zoneId?: string
}

export interface Target {
  config: ProviderConfigRow
  /** Null if the provider has none of that name. */
  zone: Zone | null
  host: CopyTarget
}

export const NOTHING: ProviderRecords = { records: new Map(), total: 0, unmanaged: [], soa: null }

/**
 * Opens the target of a move. Rejects with 400 if the caller may not use the connection, the zone does not exist or the
 * domain is already there, and with 409 if the zone belongs to another domain here.
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
    const message = 'is the current zone of the domain'
    throw invalid({ path: '/providerConfigId', code: 'same_zone', message })
  }
  if (zone) await refuseRegistered(context.db, { config, zone })
  const { provider: from } = await connectionOf(context, domain)
  const { provider } = connection
  const host = { provider, from, defaultTtl: zone?.ttl ?? domain.default_ttl }
  return { config, zone: zone && { ...zone, size: domain.record_count }, host }
}

/** Returns the provider connection if the caller may use it; rejects with 400 otherwise. */
export async function usableConfig(db: Executor, caller: Caller, id: string): Promise<ProviderConfigRow> {
  const config = await findConfig(db, caller, id)
  if (config) return config
  const message = 'is not one of your provider connections'
  throw invalid({ path: '/providerConfigId', code: 'unknown_provider_config', message })
}

/** Returns the records of the domain here. `from`: its current provider. */
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
