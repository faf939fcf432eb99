import type { Generated, JSONColumnType } from 'kysely'

/** A plan that was shown to somebody, who may apply it by its id. */
export interface KeptPlansTable {
  id: string
  user_id: string
  /** Made by that personal token, and for it alone; null: made after a sign-in. */
  token_id: string | null
  /** Who knows what to make of `body` and `shown`. */
  kind: string
  /** Null: it concerns several domains. */
  domain_id: string | null
  /** What was asked for. */
  body: JSONColumnType<object>
  /** What was shown that it would do. */
  shown: JSONColumnType<object>
  /** Of both together. */
  bytes: number
  /** What it was applied as; both null: not yet. */
  change_id: Generated<string | null>
  operation_id: Generated<string | null>
  created_at: Generated<Date>
  expires_at: Date
}
