import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** How the caller reached the service. */
export type Origin =
  | 'console'
  | 'api'
  | 'cli'
  | 'mcp'
  | 'ddns'
  | 'acme'
  | 'external-dns'
  | 'powerdns-api'
  | 'dns-update'
  | 'schedule'
  | 'sync'
  | 'enforce'
  | 'failover'

/** The origin and token at that time; null in rows older than these columns. */
export interface Provenance {
  origin: Origin | null
  /** Null without a personal token. */
  token_id: string | null
  token_name: string | null
  /** The last characters of the token; null if unknown. */
  token_suffix: string | null
}

export interface AuditTable extends Provenance {
  id: string
  at: Generated<Date>
  actor_id: string | null
  actor_name: string
  ip: string | null
  request_id: string | null
  action: string
  target_type: string
  target_id: string | null
  target_name: string | null
  before: JSONColumnType<Record<string, unknown> | null, string | null>
  after: JSONColumnType<Record<string, unknown> | null, string | null>
}

/** A file of exported entries of one month (`2026-11`), see plugins/retention. */
export interface ArchivesTable {
  kind: 'history' | 'audit'
  month: string
  /** From 1. */
  part: number
  /** Entries in the file, once it is written; a bigint as text. */
  rows: ColumnType<string | null, number | null | undefined, number | null>
  begun_at: Generated<Date>
  /** When the file was complete; before that, none of its entries is deleted. */
  written_at: Date | null
  /** When all its entries were deleted. */
  finished_at: Date | null
}
