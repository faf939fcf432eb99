import type { Selectable } from 'kysely'
import type { OperationsTable } from '../../db/tables/index.ts'
import type { Operation, OperationKind } from '../../schemas/operation.ts'

export interface OperationRow extends Pick<
  Selectable<OperationsTable>,
  | 'id'
  | 'kind'
  | 'domain_id'
  | 'user_id'
  | 'state'
  | 'outcome'
  | 'done'
  | 'total'
  | 'change_id'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
> {
  domain_name: string | null
  username: string
  account_kind: 'person' | 'machine'
}

export const toOperation = (row: OperationRow): Operation => ({
  id: row.id,
  kind: row.kind as OperationKind,
  domainId: row.domain_id,
  domainName: row.domain_name,
  actor: { id: row.user_id, name: row.username, kind: row.account_kind },
  state: row.state,
  outcome: row.outcome,
  done: row.done,
  total: row.total,
  changeId: row.change_id,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
})
