import type { Insertable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { DomainsTable } from '../../../db/tables/index.ts'
import { toUnicodeName } from '../../../dns/names/names.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { ProviderConfigRow } from '../../providers/configs/service.ts'
import type { Provider, Zone } from '../../providers/contract.ts'
import { autoCheckColumns, expiryColumns } from '../expiry/dates.ts'
import { dateOf, descending, distinct, firstSync, type DomainSettings } from '../settings.ts'
import { nearestTtl } from './default-ttl.ts'

const DEFAULT_REMIND_DAYS = [30, 14, 7, 1]

/** The row of a domain that the caller registers. */
export function newRow(
  caller: Caller,
  input: DomainSettings & { name: string },
  { provider, config, zone }: { provider: Provider; config: ProviderConfigRow; zone: Zone },
): Insertable<DomainsTable> {
  const { id: providerId, capabilities } = provider
  const remindDays = input.expiryRemindDays ?? DEFAULT_REMIND_DAYS
  return {
    id: uuidv7(),
    name: input.name,
    unicode_name: toUnicodeName(input.name),
    provider_id: providerId,
    provider_config_id: config.id,
    zone_id: zone.id,
    owner_id: caller.userId,
    group_name: input.groupName ?? '',
    tags: distinct(input.tags ?? []),
    notes: input.notes ?? '',
    ...expiryColumns(dateOf(input.expiresAt ?? null), 'manual', remindDays),
    expiry_remind_days: descending(remindDays),
    ...autoCheckColumns(input.autoCheckExpiry ?? false),
    default_ttl: nearestTtl(zone.ttl ?? input.defaultTtl ?? capabilities.defaultTtl, capabilities),
    ...firstSync(input.syncInterval ?? null, capabilities.truth),
    name_servers: [],
  }
}
