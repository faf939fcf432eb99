import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Routing } from '../../dns/names/rrset.ts'
import type { RecordType } from '../../dns/types/index.ts'
import type { Provenance } from './audit.ts'

export type { RecordType } from '../../dns/types/index.ts'

/**
 * What a provider holds with a record, and with its RRset, that we have no word for: given back with every write, and
 * read by its adapter alone.
 */
export interface ProviderExtra {
  set?: JsonValue
  member?: JsonValue
}

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** What a record says, without its identity. `name` is relative, `value` canonical. */
export interface RecordContent {
  name: string
  type: RecordType
  value: string
  /** Seconds; null: the provider chooses. */
  ttl: number | null
  priority: number | null
  proxied: boolean
  /** Not so: kept here, and at the provider where it can, without being published. */
  enabled: boolean
  /** Of users for users: kept at the provider where it can, else here alone. */
  comment: string
  /** Null: there is but one RRset of that name and type. */
  routing: Routing | null
  extra: ProviderExtra | null
}

/** What asked for a change. */
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

export interface RecordsTable extends Omit<RecordContent, 'routing' | 'extra'> {
  routing: JSONColumnType<Routing | null, string | null>
  extra: JSONColumnType<ProviderExtra | null, string | null>
  id: string
  domain_id: string
  status: 'active' | 'pending' | 'failed'
  /** On its way out: no longer counts for the constraints, so that its successor can be reserved. */
  deleting: boolean
  provider_record_id: string | null
  version: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** What the last sync saw of types that are not managed here. */
export interface UnmanagedRecordsTable {
  domain_id: string
  name: string
  type: string
  ttl: number
  /** In the provider's words. */
  value: string
}

export interface ChangesTable extends Provenance {
  id: string
  domain_id: string
  actor_id: string | null
  actor_name: string
  source: ChangeSource
  status: 'pending' | 'applied' | 'partial' | 'failed'
  /** Until then the instance that made it settles it; afterwards anyone. */
  lease_until: Date
  /** Since when it is waited for what the provider will hold; null: no answer was lost, or nobody could note it. */
  unknown_since: Date | null
  /** How often the provider was asked in vain. */
  looks: Generated<number>
  /** The operation that it is part of. */
  operation_id: string | null
  /** It counts as not applied, and is looked for once more at `lease_until`. */
  look_again: Generated<boolean>
  created_at: Generated<Date>
  settled_at: Date | null
  /** In which order changes were begun, whatever the clock said; a bigint as text. */
  seq: Generated<string>
  /** In which order they were settled; null: not yet, or by a version of the service that did not count. */
  settled_seq: ColumnType<string | null, string | null | undefined, string | null>
}

export interface ChangeItemsTable {
  change_id: string
  position: number
  action: 'create' | 'update' | 'delete'
  record_id: string
  name: string
  type: RecordType
  /** Null: there is no record before. */
  before: JSONColumnType<RecordContent | null, string | null>
  /** Null: there is none afterwards. */
  after: JSONColumnType<RecordContent | null, string | null>
  outcome: 'pending' | 'applied' | 'failed'
  error: string | null
  /** What it is, for programs. */
  error_code: string | null
}

export interface NameLocksTable {
  domain_id: string
  name: string
  change_id: string
}
