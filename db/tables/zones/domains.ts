import type { Generated } from 'kysely'

/** Changes made at the provider that were neither adopted nor put back, and why. */
export interface FoundDrift {
  created: number
  updated: number
  deleted: number
  reason: 'alert' | 'enforcing' | 'too_soon' | 'many_changes' | 'comes_back' | 'not_taken'
}

/** Canonical names; times in seconds. */
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
  /** The registry's EPP status codes, such as `clientTransferProhibited`. */
  epp_status: Generated<string[]>
  /** When to check the reminders of this domain next; null while none can become due. */
  reminder_due_at: Date | null
  /** When to look up the date next; null if automatic lookup is off. */
  expiry_check_due_at: Date | null
  expiry_remind_days: number[]
  auto_check_expiry: boolean
  name_servers: string[]
  registrar: string | null
  default_ttl: number
  record_count: Generated<number>
  record_version: Generated<number>
  /** Number of rows in `unmanaged_records`. */
  unmanaged_count: Generated<number>
  last_synced_at: Date | null
  last_sync_error: string | null
  /** Machine-readable code of the failure; null also for failures older than the codes. */
  last_sync_error_code: string | null
  last_sync_error_params: Record<string, unknown> | null
  last_sync_error_at: Date | null
  /** Minutes between automatic syncs; null means none. */
  sync_interval: number | null
  sync_due_at: Date | null
  /** The provider's SOA as of the last sync; null if the provider doesn't show it or it hasn't been read. */
  soa: SoaColumn | null
  /** Whose changes need the approval of a second person. */
  review_policy: Generated<'none' | 'members' | 'everyone'>
  /** Protocols whose changes need no review. */
  review_exempt: Generated<('ddns' | 'acme' | 'external-dns' | 'powerdns-api' | 'dns-update')[]>
  /** Whether changes are verified on the name servers, and must be to count as confirmed. */
  verify: Generated<'off' | 'warn' | 'require'>
  /** What automatic syncs do with changes made at the provider. */
  drift_policy: Generated<'adopt' | 'alert' | 'enforce'>
  /** Since when such changes are known that were neither adopted nor put back; null: none are. */
  drift_found_at: Date | null
  drift: FoundDrift | null
  /** When such changes were last put back. */
  enforced_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** Number of domains each viewer sees, with a version that increases when one of them changes. */
export interface DomainListsTable {
  viewer: string
  total: number
  version: number
}

/** Reminders sent about one expiry date of a domain. */
export interface ExpiryRemindersTable {
  domain_id: string
  expires_at: Date
  /** The lead time that was reached; -1 is the date itself. */
  lead_days: number
  created_at: Generated<Date>
}

/** A domain that its owner offers to another user, who becomes the owner on accepting. */
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
