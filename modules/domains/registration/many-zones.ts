import type { Executor } from '../../../db/connection/connect.ts'
import { announceAll } from '../../../plugins/events/outbox/announce.ts'
import { newEvent } from '../../../plugins/events/outbox/event.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { recordAudits } from '../../audit/service.ts'
import type { ProviderConfigRow } from '../../providers/configs/service.ts'
import type { Provider, Soa, Zone } from '../../providers/contract.ts'
import type { DomainRow } from '../access/access.ts'
import { touchLists } from '../queries.ts'
import { insertSyncedDomains, lockAllNames, plainZones } from './many-zones-queries.ts'
import { newRow } from './new-row.ts'

/** A zone whose records were just read. */
export interface ReadZone {
  zone: Zone
  soa: Soa | null
}

/**
 * Registers zones as domains that were just synced, with a number of statements that doesn't depend on theirs. Leaves out
 * zones that are registered or mirrors already, or whose name overlaps with another user's domain: `createDomain` decides
 * about those.
 */
export async function registerZones(
  trx: Executor,
  caller: Caller,
  { config, provider }: { config: ProviderConfigRow; provider: Provider },
  zones: readonly ReadZone[],
): Promise<DomainRow[]> {
  await lockAllNames(
    trx,
    zones.map(({ zone }) => zone.name),
  )
  const plain = await plainZones(
    trx,
    caller.userId,
    config.id,
    zones.map(({ zone }) => zone),
  )
  const chosen = zones.filter(({ zone }) => plain.has(zone.id))
  if (chosen.length === 0) return []
  const rows = await insertSyncedDomains(
    trx,
    chosen.map(({ zone, soa }) => ({
      ...newRow(caller, { name: zone.name }, { provider, config, zone }),
      soa,
    })),
  )
  await recordAudits(
    trx,
    rows.map(({ id, name }) => ({
      actor: caller,
      entry: {
        action: 'domain.created',
        target: { type: 'domain', id, name },
        after: { name, providerConfigId: config.id, zoneCreated: false },
      },
    })),
  )
  const ids = rows.map(({ id }) => id)
  await touchLists(trx, new Map([[caller.userId, rows.length]]), ids)
  await announceAll(
    trx,
    rows.map(({ id: domainId, name: domainName }) =>
      newEvent('domain.created', { metadata: { domainId, domainName }, actorId: caller.userId }),
    ),
  )
  return rows
}
