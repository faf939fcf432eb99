import { sql, type Selectable } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { ConfirmationsTable } from '../../../db/tables/index.ts'

/** What the history tells of a change that waited for its time, or waits to be confirmed. */
export interface LaterRow extends Partial<
  Pick<
    Selectable<ConfirmationsTable>,
    'minutes' | 'status' | 'confirm_by' | 'decided_by_name' | 'ended_at' | 'revert_change_id' | 'left_alone'
  >
> {
  id: string
  apply_at: Date | null
  problem: object | null
  revert_of: string | null
}

/** For changes of the journal; without those that nothing waits or waited for. */
export async function laterOf(db: Executor, changeIds: readonly string[]): Promise<Map<string, LaterRow>> {
  const { rows } = await sql<LaterRow>`
    select wanted.id, coalesce(scheduled.apply_at, request.apply_at) as apply_at, scheduled.problem,
      reverted.change_id as revert_of, waiting.minutes, waiting.status, waiting.confirm_by, waiting.decided_by_name,
      waiting.ended_at, waiting.revert_change_id, waiting.left_alone
    from unnest(${changeIds}::uuid[]) as wanted (id)
    left join scheduled_changes as scheduled on scheduled.id = wanted.id
    left join change_requests as request on request.change_id = wanted.id
    left join confirmations as waiting on waiting.change_id = wanted.id
    left join confirmations as reverted on reverted.revert_change_id = wanted.id
    where scheduled.id is not null or request.id is not null or waiting.change_id is not null
      or reverted.change_id is not null
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}
