import type { Principal } from '../../plugins/security/access/index.ts'
import type { Problem } from '../../schemas/problem.ts'
import { mayApprove } from './reviewers.ts'
import type { EntryRow, RequestRow } from './queries.ts'
import type { ShownPlan } from '../records/service.ts'
import type { RequestStatus } from './schemas.ts'

type ListedRow = Omit<RequestRow, 'body' | 'plan' | 'problem'>

const person = (id: string | null, name: string | null) => (name === null ? null : { id, name })

/** The change of an approved request decides whether it was applied. */
export function statusOf({
  status,
  change_status,
}: Pick<RequestRow, 'status' | 'change_status'>): RequestStatus {
  if (status !== 'approved' || change_status === null || change_status === 'pending') return status
  return change_status === 'applied' ? 'applied' : 'failed'
}

export const toItem = (row: ListedRow, principal: Principal) => ({
  id: row.id,
  domainId: row.domain_id,
  domainName: row.domain_name,
  title: row.title,
  reason: row.reason,
  status: statusOf(row),
  revision: row.revision,
  author: { id: row.author_id, name: row.author_name },
  created: row.created,
  updated: row.updated,
  deleted: row.deleted,
  canApprove: row.status === 'open' && mayApprove(row, principal),
  approver: person(row.approver_id, row.approver_name),
  approvedAt: row.approved_at?.toISOString() ?? null,
  applyAt: row.apply_at?.toISOString() ?? null,
  confirmWithin: row.confirm_minutes,
  changeId: row.change_id,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

export const toRequest = (row: RequestRow, entries: EntryRow[], principal: Principal) => ({
  ...toItem(row, principal),
  plan: row.plan as ShownPlan,
  problem: row.problem as Problem | null,
  timeline: entries.map((entry) => ({
    id: entry.id,
    kind: entry.kind,
    by: person(entry.actor_id, entry.actor_name),
    revision: entry.revision,
    text: entry.text,
    at: entry.created_at.toISOString(),
  })),
})
