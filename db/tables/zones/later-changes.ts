import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Origin } from '../audit.ts'
import type { RecordContent } from './records.ts'

/** A step of a plan, as the journal stores it. */
export interface StoredStep {
  action: 'create' | 'update' | 'delete'
  recordId: string
  before: RecordContent | null
  after: RecordContent | null
}

/** Changes that are applied at a time. The change in the journal gets the same id. */
export interface ScheduledChangesTable {
  id: string
  domain_id: string
  /** Null if the account was deleted. */
  author_id: string | null
  author_name: string
  origin: Origin
  token_id: string | null
  token_name: string | null
  token_suffix: string | null
  ip: string
  operation_id: string | null
  emergency_reason: string | null
  /** The intent, as a kept plan stores it. */
  body: JSONColumnType<object>
  /** What was shown when it was scheduled; it does exactly this, or fails. */
  steps: ColumnType<StoredStep[], string, string>
  /** Names and types that it touches: `[{name, type}]`. */
  touched: JSONColumnType<{ name: string; type: string }[]>
  created: number
  updated: number
  deleted: number
  apply_at: Date
  /** Minutes in which the change must be confirmed; null: it needs no confirmation. */
  confirm_minutes: number | null
  /** `taken`: the change in the journal decides what became of it. */
  status: Generated<'scheduled' | 'taken' | 'failed' | 'cancelled'>
  /** When any instance may apply it; null unless it is scheduled. */
  due_at: Date | null
  /** The outcome of the change was announced. */
  settled: Generated<boolean>
  /** Why it came to no change. */
  problem: JSONColumnType<object | null, string | null, string | null>
  created_at: Generated<Date>
  ended_at: Date | null
}

/** Changes that are reverted unless somebody confirms them. */
export interface ConfirmationsTable {
  change_id: string
  domain_id: string
  minutes: number
  /** `waiting`: the change has no outcome yet. `reverting`: `revert_change_id` has none yet. */
  status: Generated<'waiting' | 'unconfirmed' | 'reverting' | 'confirmed' | 'reverted' | 'not_reverted'>
  /** When it is reverted; null while waiting. */
  confirm_by: Date | null
  /** When any instance may warn or revert; null while nothing is to be done. */
  due_at: Date | null
  /** `change.unconfirmed` was announced. */
  warned: Generated<boolean>
  /** How many times the change was to be reverted. */
  tries: Generated<number>
  /** Who confirmed it; null for nobody, and for deleted users. */
  decided_by: string | null
  decided_by_name: string | null
  ended_at: Date | null
  /** The change that reverts it. */
  revert_change_id: string | null
  /** Records that the revert left alone, because they were changed since. */
  left_alone: ColumnType<{ name: string; type: string; value: string }[], string | undefined, string>
  created_at: Generated<Date>
}
