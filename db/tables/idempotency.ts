import type { Generated, JSONColumnType } from 'kysely'

/** A request with an Idempotency-Key, and what it came to. */
export interface IdempotencyKeysTable {
  user_id: string
  key: string
  request_hash: Buffer
  /** The run of the request that has the key; null: it has ended. */
  claim: string | null
  /** Until then no other run takes the key, unless there is an answer. */
  lease_until: Generated<Date>
  /** The answer as it was sent, with `headers` and `body`. */
  status: number | null
  headers: JSONColumnType<Record<string, string> | null, string | null>
  body: string | null
  /** What the parts of the work that are done came to, by their names: stored in the transaction of each. */
  done_parts: JSONColumnType<Record<string, unknown>, string | undefined>
  /** The access that the answer rests on: see Reliance in plugins/http/idempotency/key.ts. */
  rests_on: JSONColumnType<object[], string | undefined>
  created_at: Generated<Date>
}
