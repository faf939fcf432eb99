import type { Executor } from '../../../../db/connection/connect.ts'
import type { RecordContent, Step } from '../../plan/change.ts'
import type { StepOutcome } from './journal-queries.ts'

/** An item of a change, with the status of the change. */
export interface ChangeItem {
  status: 'pending' | 'applied' | 'partial' | 'failed'
  action: Step['action']
  record_id: string
  before: RecordContent | null
  after: RecordContent | null
  outcome: StepOutcome['outcome']
  error: string | null
}

/** In order of position; empty if the change no longer exists. */
export async function itemsOfChange(db: Executor, changeId: string): Promise<ChangeItem[]> {
  const rows = await db
    .selectFrom('changes')
    .innerJoin('change_items', 'change_id', 'changes.id')
    .select(['status', 'action', 'record_id', 'before', 'after', 'outcome', 'error'])
    .where('changes.id', '=', changeId)
    .orderBy('position')
    .execute()
  return rows
}
