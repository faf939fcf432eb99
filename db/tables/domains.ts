import type { Generated } from 'kysely'

/** Names canonical, times in seconds. */
interface SoaColumn {
  primary: string
  mailbox: string
  serial: number
  refresh: number
  retry: number
  expire: number
  minimum: number
  ttl: number
}

export interface DomainsTable {
  id: string
  name: string
  unicode_name: string
  provider_id: string
  provider_config_id: string
  zone_id: string
  owner_id: string
  group_name: string
  tags: string[]
  notes: string
  expires_at: Date | null
  expiring_at: Date | null
  expiry_source: 'manual' | 'rdap' | 'whois' | null
  expiry_checked_at: Date | null
  /** The registry's status words, as EPP has them: `clientTransferProhibited`. */
  epp_status: Generated<string[]>
  /** When reminders of this domain are to be looked at next; null while nothing can become due. */
  reminder_due_at: Date | null
  /** When the date is looked up again; null where it is not looked up by itself. */
  expiry_check_due_at: Date | null
  expiry_remind_days: number[]
  auto_check_expiry: boolean
  name_servers: string[]
  registrar: string | null
  default_ttl: number
  record_count: Generated<number>
  record_version: Generated<number>
  /** Rows of `unmanaged_records`. */
  unmanaged_count: Generated<number>
  last_synced_at: Date | null
  last_sync_error: string | null
  /** What it is, for programs; null also for what failed before there were codes. */
  last_sync_error_code: string | null
  last_sync_error_params: Record<string, unknown> | null
  last_sync_error_at: Date | null
  /** Minutes between automatic syncs; null: none. */
  sync_interval: number | null
  sync_due_at: Date | null
  /** As the provider had it at the last sync; null: it does not show it, or was not read since then. */
  soa: SoaColumn | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** For each viewer how many domains they see, and a version that rises when one of those changes. */
export interface DomainListsTable {
  viewer: string
  total: number
  version: number
}

/** What was told about one expiry date of a domain. */
export interface ExpiryRemindersTable {
  domain_id: string
  expires_at: Date
  /** The lead time that was passed; -1: the date itself. */
  lead_days: number
  created_at: Generated<Date>
}

/** A domain that its owner offers to another user, who has it once they accept. */
export interface DomainTransfersTable {
  id: string
  domain_id: string
  from_user_id: string
  to_user_id: string
  status: 'pending' | 'accepted' | 'declined' | 'withdrawn' | 'expired'
  created_at: Generated<Date>
  expires_at: Date
  ended_at: Date | null
}
