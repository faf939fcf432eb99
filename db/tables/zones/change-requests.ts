import type { Generated, JSONColumnType } from 'kysely'

/** Changes that wait for the approval of a second person. */
export interface ChangeRequestsTable {
  id: string
  domain_id: string
  author_id: string | null
  /** As of when it was made. */
  author_name: string
  title: string
  reason: string
  /** The intent, as a kept plan stores it. */
  body: JSONColumnType<object>
  /** The plan as shown to the approver: `creates`, `updates`, `deletes` and `warnings` of the API. */
  plan: JSONColumnType<object>
  /** Names and types that the plan touches: `[{name, type}]`. */
  touched: JSONColumnType<{ name: string; type: string }[]>
  created: number
  updated: number
  deleted: number
  /** Once there is a change, that decides whether it was applied. `failed`: it came to no change. */
  status: 'open' | 'approved' | 'rejected' | 'withdrawn' | 'outdated' | 'failed'
  /** Rises with each plan; an approval is of one revision. */
  revision: Generated<number>
  approver_id: string | null
  approver_name: string | null
  approved_at: Date | null
  /** When any instance may apply it; null while there is nothing to apply. */
  due_at: Date | null
  /** How many times an instance has begun to apply it. */
  tries: Generated<number>
  /** The change that applies it. */
  change_id: string | null
  /** The outcome of the change was announced. */
  settled: Generated<boolean>
  /** Why it came to no change. */
  problem: JSONColumnType<object | null, string | null, string | null>
  /** When it is applied once approved; null: at once. */
  apply_at: Date | null
  /** Minutes in which its change must be confirmed; null: it needs no confirmation. */
  confirm_minutes: number | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** What happened to a change request, and comments on it. */
export interface ChangeRequestEntriesTable {
  id: string
  change_request_id: string
  /** Null for the service itself, and for deleted users. */
  actor_id: string | null
  actor_name: string | null
  kind:
    | 'opened'
    | 'edited'
    | 'commented'
    | 'approved'
    | 'applied'
    | 'rejected'
    | 'withdrawn'
    | 'outdated'
    | 'failed'
  revision: number
  text: string
  created_at: Generated<Date>
}
