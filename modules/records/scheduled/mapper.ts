import { toProvenance } from '../../../schemas/records/origin.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import { seesAllRecords, seesRecord, type RecordScope } from '../../domains/access/access.ts'
import { toContent } from '../list/mapper.ts'
import type { KeptBody } from '../kept-plans/service.ts'
import type { ScheduledRow } from './queries.ts'

/** Names and types that it touches. */
export const placesOf = ({ touched }: Pick<ScheduledRow, 'touched'>) =>
  touched as { name: string; type: RecordType }[]

const STATUS = { scheduled: 'scheduled', cancelled: 'cancelled', failed: 'failed', taken: 'pending' } as const

/** Most items in an answer. */
const MAX_ITEMS = 10_000

/** A change that has no entry in the journal, as the history shows it: with what the caller sees of it. */
export function toScheduledEntry(row: ScheduledRow, scope: RecordScope, maxItems = MAX_ITEMS) {
  const seen = (content: ScheduledRow['steps'][number]['before']) =>
    content && seesRecord(scope, content) ? toContent(content) : null
  const items = row.steps
    .map(({ action, recordId, before, after }) => ({
      action,
      recordId,
      before: seen(before),
      after: seen(after),
      outcome: 'pending' as const,
      error: null,
      errorCode: null,
    }))
    .filter(({ before, after }) => before !== null || after !== null)
  return {
    id: row.id,
    source: (row.body as unknown as KeptBody).source,
    status: STATUS[row.status],
    actor: { id: row.author_id, name: row.author_name, kind: null },
    ...toProvenance(row),
    operationId: row.operation_id,
    changeRequestId: null,
    requestedBy: null,
    emergencyReason: seesAllRecords(scope) ? row.emergency_reason : null,
    applyAt: row.apply_at.toISOString(),
    confirmWithin: row.confirm_minutes,
    confirmation: null,
    revertOf: null,
    problem: seesAllRecords(scope) ? (row.problem as Problem | null) : null,
    changedOutside: false,
    createdAt: row.created_at.toISOString(),
    settledAt: row.ended_at?.toISOString() ?? null,
    itemCount: items.length,
    items: items.slice(0, maxItems),
  }
}
