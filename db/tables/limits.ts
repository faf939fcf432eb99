import type { Generated, JSONColumnType } from 'kysely'

/** An open event stream of a user; the slot is free once the lease expires. */
export interface StreamSlotsTable {
  user_id: string
  /** From 1 to the maximum number per user. */
  slot: number
  stream_id: string
  lease_until: Date
}

/** What an instance is working on, see plugins/work/leases. */
export interface LeasesTable {
  kind: string
  subject: string
  /** Id of the instance. */
  holder: string
  /** Renewed while the work continues. */
  until: Date
}

/** Recurring work, see plugins/work/tasks. */
export interface ScheduledTasksTable {
  name: string
  period_seconds: number
  /** The next run; while a holder runs it, when the claim expires. */
  due_at: Date
  /** The instance that runs it. */
  holder: string | null
}

/** When each registry's server may be queried next. */
export interface RegistryTurnsTable {
  server: string
  next_at: Date
  /** When `next_at` was written. */
  noted_at: Generated<Date>
}

/** Requests counted for a limit until `resets_at`, by the hash of its key. */
export interface RateLimitCountersTable {
  key: Buffer
  count: number
  resets_at: Date
}

/** A request with an Idempotency-Key, and its result. */
export interface IdempotencyKeysTable {
  user_id: string
  key: string
  request_hash: Buffer
  /** The run of the request that holds the key; null once it has ended. */
  claim: string | null
  /** Until then no other run can take the key, unless there is an answer. */
  lease_until: Generated<Date>
  /** The answer as sent, with `headers` and `body`. */
  status: number | null
  headers: JSONColumnType<Record<string, string> | null, string | null>
  body: string | null
  /** Results of completed parts of the work, by name; stored in the transaction of each part. */
  done_parts: JSONColumnType<Record<string, unknown>, string | undefined>
  /** The access that the answer depends on; see Reliance in plugins/http/idempotency/key.ts. */
  rests_on: JSONColumnType<object[], string | undefined>
  created_at: Generated<Date>
}
