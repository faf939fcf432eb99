import type { Principal } from '../../plugins/security/access/index.ts'
import type { Domain, DomainListItem, DomainStatus } from '../../schemas/domain.ts'
import { isoTime, type AsJson } from '../../schemas/scalars.ts'
import {
  accessTo,
  isSufficient,
  seesWhole,
  shownNotes,
  shownSyncError,
  type DomainRow,
  type Grant,
  type GrantedDomain,
} from './access/access.ts'

/** The columns that a list reads. */
export const LIST_COLUMNS = [
  'id',
  'name',
  'unicode_name',
  'provider_id',
  'provider_config_id',
  'expires_at',
  'expiring_at',
  'group_name',
  'tags',
  'record_count',
  'unmanaged_count',
  'record_version',
  'created_at',
  'expiry_remind_days',
  'auto_check_expiry',
  'owner_id',
  'last_synced_at',
  'last_sync_error',
  'last_sync_error_code',
  'last_sync_error_params',
] as const

type SharedRow = AsJson<Pick<DomainRow, (typeof LIST_COLUMNS)[number]>> & { grants?: readonly Grant[] }

/** A list row, read as JSON with times as text; `grants` as in GrantedDomain. */
export type ListRow = SharedRow

interface ConfigNames {
  provider: string
  name: string
}

/** Owner names and provider configurations of list rows, by id. */
export interface Names {
  owners: Record<string, string>
  configs: Record<string, ConfigNames>
}

/** Owner name and provider configuration of one domain. */
export interface NamesOfOne {
  owner: string
  config: ConfigNames
}

export function toDomainListItem(
  row: ListRow,
  { owners, configs }: Names,
  principal: Principal,
): DomainListItem {
  // Foreign keys guarantee both.
  const owner = owners[row.owner_id] as string
  return toShared(row, { owner, config: configs[row.provider_config_id] as ConfigNames }, principal)
}

/** Fields shared by list and detail. */
const toShared = (row: SharedRow, { owner, config }: NamesOfOne, principal: Principal): DomainListItem => ({
  id: row.id,
  name: row.name,
  unicodeName: row.unicode_name,
  providerId: row.provider_id,
  providerConfigId: row.provider_config_id,
  expiresAt: row.expires_at && isoTime(row.expires_at),
  status: statusOf(row),
  groupName: row.group_name,
  tags: row.tags,
  recordCount: row.record_count,
  unmanaged: row.unmanaged_count,
  recordsVersion: row.record_version,
  createdAt: isoTime(row.created_at),
  expiryRemindDays: row.expiry_remind_days,
  autoCheckExpiry: row.auto_check_expiry,
  lastSyncedAt: row.last_synced_at && isoTime(row.last_synced_at),
  ...toSyncError(shownSyncError(row, principal)),
  access: accessTo(row, principal),
  owner: { id: row.owner_id, username: owner },
  providerKey: config.provider,
  providerConfigName: isSufficient(row, principal, 'manage') ? config.name : null,
})

const toSyncError = (shown: ReturnType<typeof shownSyncError>) => ({
  lastSyncError: shown.last_sync_error,
  lastSyncErrorCode: shown.last_sync_error_code,
  lastSyncErrorParams: shown.last_sync_error_params,
})

/** `row` includes the caller's permissions unless they own the domain. */
export const toDomain = (
  row: DomainRow | GrantedDomain,
  names: NamesOfOne,
  principal: Principal,
): Domain => ({
  ...toShared(row, names, principal),
  zoneId: row.zone_id,
  ownerId: row.owner_id,
  notes: shownNotes(row, principal),
  nameServers: row.name_servers,
  registrar: row.registrar,
  eppStatus: row.epp_status,
  expirySource: row.expiry_source,
  expiryCheckedAt: row.expiry_checked_at?.toISOString() ?? null,
  syncInterval: row.sync_interval,
  defaultTtl: row.default_ttl,
  reviewPolicy: row.review_policy,
  reviewExempt: row.review_exempt,
  verify: row.verify,
  driftPolicy: row.drift_policy,
  driftFoundAt: row.drift_found_at?.toISOString() ?? null,
  drift: seesWhole(row, principal) ? row.drift : null,
  updatedAt: row.updated_at.toISOString(),
})

/** Computed from the dates on each read, so it is never stale. */
function statusOf({ expires_at, expiring_at }: Pick<SharedRow, 'expires_at' | 'expiring_at'>): DomainStatus {
  if (expires_at === null || expiring_at === null) return 'active'
  const now = Date.now()
  if (new Date(expires_at).getTime() <= now) return 'expired'
  return new Date(expiring_at).getTime() <= now ? 'expiring' : 'active'
}
