import type { Generated, JSONColumnType } from 'kysely'

export interface IdempotencyKeysTable {
  user_id: string
  key: string
  request_hash: Buffer
  status: number | null
  headers: JSONColumnType<Record<string, string> | null, string | null>
  body: string | null
  created_at: Generated<Date>
}
