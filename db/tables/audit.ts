import type { Generated, JSONColumnType } from 'kysely'

/** By which way somebody came. */
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

/** The way and the token, as they were then; null in what was written before they were noted. */
export interface Provenance {
  origin: Origin | null
  /** Null: no personal token. */
  token_id: string | null
  token_name: string | null
  /** Its last characters; null where they were not known. */
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
