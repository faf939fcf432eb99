import type { Generated, JSONColumnType } from 'kysely'
import type { Origin } from './origins.ts'

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
