import type { AssignmentView } from './queries.ts'
import type { RequestView } from './request-queries.ts'
import type { TransferView } from '../domains/service.ts'
import { toTarget } from './permission-target.ts'

export const toAssignment = (row: AssignmentView) => ({
  id: row.id,
  userId: row.user_id,
  username: row.username,
  ...toTarget(row),
  permission: row.permission,
  recordTypes: row.record_types,
  expiresAt: row.expires_at?.toISOString() ?? null,
  createdBy: row.created_by,
  createdByName: row.creator,
  createdAt: row.created_at.toISOString(),
})

export const toRequest = (row: RequestView) => ({
  id: row.id,
  userId: row.user_id,
  username: row.username,
  ...toTarget(row),
  permission: row.permission,
  reason: row.reason,
  status: row.status,
  decidedBy: row.decided_by,
  decidedByName: row.decider,
  decidedAt: row.decided_at?.toISOString() ?? null,
  decisionReason: row.decision_reason,
  assignmentId: row.assignment_id,
  createdAt: row.created_at.toISOString(),
})

export const toTransfer = (row: TransferView) => ({
  id: row.id,
  domainId: row.domain_id,
  domainName: row.domain_name,
  fromUserId: row.from_user_id,
  fromUsername: row.from_username,
  toUserId: row.to_user_id,
  toUsername: row.to_username,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
})
