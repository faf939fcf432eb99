import type { OperationKind } from '../../schemas/operation.ts'
import { requireDomain } from '../domains/access/access.ts'
import type { Operations, OperationWork } from '../operations/contract.ts'
import type { RecordContext } from './apply/apply.ts'
import { restoreRecords, revertChange } from './history/history.ts'
import { copyDomain, type CopyInput } from './move/copy.ts'
import { applyAgain, type KeptInput } from './apply/plans.ts'
import { doDomainsPlan } from './bulk/work.ts'
import { retryChange } from './history/retry.ts'
import { importZoneFile } from './zone-files/service.ts'

/** One domain of many may spend so many times that: the others wait for it. */
const BUDGETS_OF_ONE = 3

/** An operation may spend so many times what a request may at a provider. */
const BUDGETS = 30

/** The large changes that records know; `ofJobs`: with the database for what takes long. */
export function defineOperations(operations: Operations, ofJobs: RecordContext): void {
  const { providerLimits } = ofJobs
  const budgetMs = providerLimits.budgetMs * BUDGETS
  const context = { ...ofJobs, providerLimits: { ...providerLimits, budgetMs } }
  const ofOne = {
    ...ofJobs,
    providerLimits: { ...providerLimits, budgetMs: providerLimits.budgetMs * BUDGETS_OF_ONE },
  }
  const contexts = { ofMany: ofOne, alone: context }
  for (const kind of ['replace', 'template'] as const) {
    operations.define(kind, (caller, _domainId, { planId }: { planId: string }, run) =>
      doDomainsPlan(contexts, caller, kind, planId, run),
    )
  }
  define('import', (caller, domainId, input, run) => importZoneFile(context, caller, domainId, input, run))
  define('revert', (caller, domainId, input: { changeId: string } | { planId: string }, run) =>
    'planId' in input
      ? doDomainsPlan(contexts, caller, 'revert', input.planId, run)
      : revertChange(context, caller, domainId, input.changeId, { dryRun: false }, run),
  )
  define('retry', (caller, domainId, { changeId }: { changeId: string }, run) =>
    retryChange(context, caller, domainId, changeId, { dryRun: false }, run),
  )
  define('restore', (caller, domainId, { at }: { at: string }, run) =>
    restoreRecords(context, caller, domainId, { at, apply: true }, run),
  )
  operations.define('copy', (caller, domainId, input: CopyInput, run) =>
    copyDomain(context, caller, domainId, { ...input, dryRun: false }, run),
  )

  /** One that may also come from a plan that was kept. */
  function define(kind: KeptInput['kept']['source'] & OperationKind, work: OperationWork): void {
    operations.define(kind, async (caller, domainId, input: KeptInput, run) => {
      if (!('kept' in input)) return work(caller, domainId, input, run)
      const domain = await requireDomain(context.db, caller, domainId, 'write')
      return applyAgain(context, { kind, caller, domain, input, run })
    })
  }
}
