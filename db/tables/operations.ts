import type { Generated, JSONColumnType } from 'kysely'
import type { Origin } from './audit.ts'

/** A large change that goes on after its request was answered. */
export interface OperationsTable {
  id: string
  kind: string
  /** Null: it is over many domains. */
  domain_id: string | null
  /** Who asked for it, from where, by which request. */
  user_id: string
  /** The personal token it was asked for with; it is done with its rights, or not at all when it has ended. */
  token_id: string | null
  /** Null: asked for before this was noted. */
  origin: Origin | null
  ip: string | null
  request_id: string | null
  /** Which names of the domain they saw then. */
  sight: string
  /** What was asked for; null when it is finished. */
  input: JSONColumnType<object | null, string | null>
  state: Generated<'waiting' | 'running' | 'finished'>
  /** Null until it is finished. */
  outcome: 'succeeded' | 'partly' | 'failed' | null
  /** How often an instance has begun with it. */
  tries: Generated<number>
  /** The instance that works on it, or did when it died. */
  holder: string | null
  /** What it does to records; null: nothing was begun. Before that it may begin anew, from then on it may not. */
  change_id: string | null
  done: Generated<number>
  total: number
  /** What the request would have answered; null until it is known. */
  result: JSONColumnType<object | null, string | null>
  /** Why it was not done, or only in part. */
  problem: JSONColumnType<object | null, string | null>
  created_at: Generated<Date>
  started_at: Date | null
  finished_at: Date | null
}

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
