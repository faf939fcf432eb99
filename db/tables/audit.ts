import type { Generated, JSONColumnType } from 'kysely'
import type { Provenance } from './origins.ts'

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
