import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Routing } from '../../../dns/names/rrset.ts'
import type { RecordType } from '../../../dns/types/index.ts'
import type { Provenance } from '../audit.ts'

export type { RecordType } from '../../../dns/types/index.ts'

/**
 * Provider data of a record and its RRset that we have no fields for: sent back with every write, and read
 * only by the adapter.
 */
export interface ProviderExtra {
  set?: JsonValue
  member?: JsonValue
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** The content of a record without its identity. `name` is relative, `value` canonical. */
export interface RecordContent {
  name: string
  type: RecordType
  value: string
  /** Seconds; null lets the provider choose. */
  ttl: number | null
  priority: number | null
  proxied: boolean
  /** False: kept here, and at the provider if supported, without being published. */
  enabled: boolean
  /** A note between users; kept at the provider if supported, otherwise only here. */
  comment: string
  /** Null if there is only one RRset of that name and type. */
  routing: Routing | null
  extra: ProviderExtra | null
}

/** What requested the change. */
export type ChangeSource =
  | 'single'
  | 'bulk'
  | 'apply'
  | 'import'
  | 'revert'
  | 'restore'
  | 'retry'
  | 'sync'
  | 'switch'
  | 'replace'
  | 'template'
  | 'ddns'
  | 'enforce'

export interface RecordsTable extends Omit<RecordContent, 'routing' | 'extra'> {
  routing: JSONColumnType<Routing | null, string | null>
  extra: JSONColumnType<ProviderExtra | null, string | null>
  id: string
  domain_id: string
  status: 'active' | 'pending' | 'failed'
  /** Being deleted: no longer counts for constraints, so that its successor can be reserved. */
  deleting: boolean
  provider_record_id: string | null
  version: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** Records of unmanaged types as of the last sync. */
export interface UnmanagedRecordsTable {
  domain_id: string
  name: string
  type: string
  ttl: number
  /** The provider's name for it. */
  value: string
}

export interface ChangesTable extends Provenance {
  id: string
  domain_id: string
  actor_id: string | null
  actor_name: string
  source: ChangeSource
  status: 'pending' | 'applied' | 'partial' | 'failed'
  /** Until then only the instance that made it may reconcile it; afterwards any instance. */
  lease_until: Date
  /** When reconciliation started; null if no answer was lost or it could not be noted. */
  unknown_since: Date | null
  /** How many times the provider was asked without result. */
  looks: Generated<number>
  /** The operation it belongs to. */
  operation_id: string | null
  /** It counts as not applied, and is checked once more at `lease_until`. */
  look_again: Generated<boolean>
  created_at: Generated<Date>
  settled_at: Date | null
  /** Order in which changes started, regardless of the clock; a bigint as text. */
  seq: Generated<string>
  /** Order in which they were settled; null if pending, or settled by a version without this column. */
  settled_seq: ColumnType<string | null, string | null | undefined, string | null>
  /** The change request it applies. */
  change_request_id: string | null
  /** Why the review that the domain requires was bypassed; null if it wasn't. */
  emergency_reason: string | null
  /** It took over changes that were made at the provider. */
  changed_outside: Generated<boolean>
}

export interface ChangeItemsTable {
  change_id: string
  position: number
  action: 'create' | 'update' | 'delete'
  record_id: string
  name: string
  type: RecordType
  /** Null for a new record. */
  before: JSONColumnType<RecordContent | null, string | null>
  /** Null for a deleted record. */
  after: JSONColumnType<RecordContent | null, string | null>
  outcome: 'pending' | 'applied' | 'failed'
  error: string | null
  /** Machine-readable code of the failure. */
  error_code: string | null
}

export interface NameLocksTable {
  domain_id: string
  name: string
  change_id: string
}
