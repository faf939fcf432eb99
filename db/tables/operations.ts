import type { Generated, JSONColumnType } from 'kysely'
import type { Origin } from './audit.ts'

/** A large change that continues after its request was answered. */
export interface OperationsTable {
  id: string
  kind: string
  /** Null if it covers many domains. */
  domain_id: string | null
  /** Who requested it, from where, and with which request. */
  user_id: string
  /**
   * The personal token of the request; the operation runs with its rights, or not at all once the token is no
   * longer valid.
   */
  token_id: string | null
  /** Null for rows older than this column. */
  origin: Origin | null
  ip: string | null
  request_id: string | null
  /** The names of the domain that the caller could see at that time. */
  sight: string
  /** The request; null once finished. */
  input: JSONColumnType<object | null, string | null, string | null>
  state: Generated<'waiting' | 'running' | 'finished'>
  /** Null until finished. */
  outcome: 'succeeded' | 'partly' | 'failed' | null
  /** How many times an instance has started it. */
  tries: Generated<number>
  /** The instance that works on it, or did when it died. */
  holder: string | null
  /** The change it writes; null until that starts. Before that it may be restarted, afterwards not. */
  change_id: string | null
  done: Generated<number>
  total: number
  /** The answer the request would have had; null until known. */
  result: JSONColumnType<object | null, string | null, string | null>
  /** Why it was not applied, or only in part. */
  problem: JSONColumnType<object | null, string | null, string | null>
  created_at: Generated<Date>
  started_at: Date | null
  finished_at: Date | null
}

/** A plan shown to somebody, who can apply it by its id. */
export interface KeptPlansTable {
  id: string
  user_id: string
  /** The personal token it was made with, the only one that may use it; null if made in a session. */
  token_id: string | null
  /** Identifies the code that interprets `body` and `shown`. */
  kind: string
  /** Null if it concerns several domains. */
  domain_id: string | null
  /** The intent. */
  body: JSONColumnType<object>
  /** The plan as shown. */
  shown: JSONColumnType<object>
  /** Size of both together. */
  bytes: number
  /** The change or operation it was applied as; both are null until then. */
  change_id: Generated<string | null>
  operation_id: Generated<string | null>
  created_at: Generated<Date>
  expires_at: Date
}
