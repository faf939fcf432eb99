import type { Generated, JSONColumnType } from 'kysely'

/** An open event stream of a user; the slot is free when the lease is over. */
export interface StreamSlotsTable {
  user_id: string
  /** From 1 up to the number that a user may have. */
  slot: number
  stream_id: string
  lease_until: Date
}

/** What an instance is at work on, see plugins/work/leases. */
export interface LeasesTable {
  kind: string
  subject: string
  /** The instance. */
  holder: string
  /** Renewed as long as the work goes on. */
  until: Date
}

/** Recurring work, see plugins/work/tasks. */
export interface ScheduledTasksTable {
  name: string
  period_seconds: number
  /** The next turn; while a holder runs it, when the claim lapses. */
  due_at: Date
  /** The instance that runs it. */
  holder: string | null
}

/** When each registry's server may be asked next. */
export interface RegistryTurnsTable {
  server: string
  next_at: Date
  /** When that was written down. */
  noted_at: Generated<Date>
}

/** Requests that were counted for a limit, by the hash of its key; until `resets_at`. */
export interface RateLimitCountersTable {
  key: Buffer
  count: number
  resets_at: Date
}

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
