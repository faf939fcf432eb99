import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import type { Installation } from '../../plugins/installation.ts'
import type { Leases } from '../../plugins/work/leases.ts'
import type { OperationKind, OperationOutcome } from '../../schemas/operation.ts'
import type { OperationWork } from './contract.ts'

/** What running operations needs of the app. */
export interface RunnerContext {
  db: Kysely<Database>
  leases: Leases
  installation: Installation
  works: ReadonlyMap<OperationKind, OperationWork>
  /** Reports an error that the user didn't cause. */
  report: (error: unknown, subject: { operationId?: string; subject?: string }) => void
  /** Called for each operation that ended. */
  ended: (kind: OperationKind, outcome: OperationOutcome) => void
}
