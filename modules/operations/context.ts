import type { Kysely } from 'kysely'
import type { Database } from '../../db/tables/index.ts'
import type { Installation } from '../../plugins/installation.ts'
import type { Leases } from '../../plugins/work/leases.ts'
import type { OperationKind, OperationOutcome } from '../../schemas/operation.ts'
import type { OperationWork } from './contract.ts'

/** What doing operations needs of the app. */
export interface RunnerContext {
  db: Kysely<Database>
  leases: Leases
  installation: Installation
  works: ReadonlyMap<OperationKind, OperationWork>
  /** Hears of what is no fault of who asked for it. */
  report: (error: unknown, subject: { operationId?: string; subject?: string }) => void
  /** Hears of each that has ended. */
  ended: (kind: OperationKind, outcome: OperationOutcome) => void
}
