import type { Generated } from 'kysely'
import type { RecordType } from '../zones/records.ts'

/** A user's permission on part of a domain, or on all of it (pattern `*`). */
export interface AssignmentsTable {
  id: string
  user_id: string
  domain_id: string
  /** See dns/names/name-patterns. */
  pattern: string
  permission: 'read' | 'write'
  /** Record types the delegate may change; null means all. */
  record_types: RecordType[] | null
  expires_at: Date | null
  created_by: string | null
  created_at: Generated<Date>
}

export interface AssignmentRequestsTable {
  id: string
  user_id: string
  domain_id: string
  pattern: string
  permission: 'read' | 'write'
  reason: string
  status: 'pending' | 'approved' | 'rejected' | 'cancelled'
  decided_by: string | null
  decided_at: Date | null
  decision_reason: string | null
  assignment_id: string | null
  created_at: Generated<Date>
}
