import type { Executor } from '../../../db/connection/connect.ts'
import { violates } from '../../../db/connection/errors.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict } from '../../../plugins/http/errors.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import { recordAudit } from '../../audit/service.ts'
import type { Provider, Zone } from '../../providers/contract.ts'
import type { ProviderConfigRow } from '../../providers/configs/service.ts'
import type { DomainRow } from '../access/access.ts'
import { nearestTtl } from './default-ttl.ts'
import { findByName, isMirrored, touchLists, updateDomain } from '../queries.ts'
import { lockNames } from './namesake-queries.ts'

/** Where a domain is served from. */
interface Host {
  provider: Provider
  config: ProviderConfigRow
  zone: Zone
}

/** Rejects with 409 if the zone is already registered as a domain. */
export async function refuseRegistered(
  db: Executor,
  { config, zone }: Omit<Host, 'provider'>,
): Promise<void> {
  if (await findByName(db, config.id, zone.name, zone.id)) throw registered(zone.name, '/providerConfigId')
  await refuseMirrored(db, { config, zone })
}

/**
 * Rejects with 409 if the zone is the mirror of a domain, which decides what it holds. To keep it so until the end of the
 * transaction, the caller has locked the name.
 */
export async function refuseMirrored(
  db: Executor,
  { config, zone }: Pick<Host, 'config' | 'zone'>,
): Promise<void> {
  if (!(await isMirrored(db, config.id, zone.id))) return
  throw conflict(`${zone.name} is a mirror with this provider configuration; remove or promote the mirror`, {
    reason: 'zone_mirrored',
  })
}

/**
 * Switches the domain to another zone, in the transaction that locks its row; the caller copies the records.
 * Rejects with 409 if that zone is already registered as a domain.
 */
export async function moveDomain(
  trx: Executor,
  caller: Caller,
  row: DomainRow,
  from: Provider,
  { provider, config, zone }: Host,
): Promise<DomainRow> {
  const target = { type: 'domain', id: row.id, name: row.name }
  await lockNames(trx, row.name)
  await refuseMirrored(trx, { config, zone })
  const set = {
    provider_id: provider.id,
    provider_config_id: config.id,
    zone_id: zone.id,
    // The TTL of the other zone.
    soa: null,
    default_ttl: nearestTtl(zone.ttl ?? row.default_ttl, provider.capabilities),
  }
  const moved = await updateDomain(trx, row.id, set).catch((error: unknown) => {
    throw violates(error, 'unique') ? registered(row.name, '/providerConfigId') : error
  })
  await recordAudit(trx, caller, {
    action: 'domain.switched',
    target,
    before: { providerConfigId: row.provider_config_id, zoneId: row.zone_id },
    after: { providerConfigId: config.id, zoneId: zone.id },
  })
  await announce(trx, 'domain.switched', {
    metadata: {
      domainId: row.id,
      domainName: row.name,
      provider: provider.name,
      previousProvider: from.name,
    },
    actorId: caller.userId,
  })
  await touchLists(trx, new Map([[row.owner_id, 0]]), [row.id])
  return moved
}

export const registered = (name: string, path: string) =>
  conflict(`${name} is already registered with this provider configuration`, {
    errors: [{ path, code: 'registered', message: 'is already registered with this provider configuration' }],
  })
