import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../plugins/security/access/index.ts'
import type { Later } from '../../schemas/records/later.ts'
import type { OperationRun } from '../operations/contract.ts'
import { submitChanges, type KeptInput } from './apply/submit.ts'
import { runDomainsPlan } from './bulk/run.ts'
import { backgroundContext } from './context.ts'
import { restoreRecords, retryChange, revertChange } from './history/revert.ts'
import { keptIntent } from './kept-plans/service.ts'
import { copyDomain, type CopyInput } from './move/copy.ts'
import { importZoneFile, type ZoneFileInput } from './zone-files/service.ts'

/** How many times the time of a request an operation may spend at a provider. */
const BUDGETS = 30

/** The same for each of many domains: the others wait for it. */
const BUDGETS_OF_MANY = 3

/** Defines the work of all operations that change records. */
export function defineOperations(app: FastifyInstance): void {
  const { operations } = app
  const context = backgroundContext(app, BUDGETS)
  const contexts = { ofMany: backgroundContext(app, BUDGETS_OF_MANY), alone: context }
  type Confirming = Pick<Later, 'confirmWithin'>
  type PlanInput = { planId: string } & Later
  type ChangeInput = { changeId: string } & Confirming

  const applyKept = (
    caller: Caller,
    domainId: string,
    { kept, shown, confirmWithin }: KeptInput,
    run: OperationRun,
  ) => submitChanges(context, caller, domainId, keptIntent(null, kept, shown), { run, confirmWithin })

  for (const kind of ['replace', 'template'] as const) {
    operations.define(kind, (caller, _domainId, { planId, ...later }: PlanInput, run) =>
      runDomainsPlan(contexts, caller, kind, planId, run, later),
    )
  }
  operations.define('copy', (caller, domainId, input: CopyInput, run) =>
    copyDomain(context, caller, domainId, { ...input, dryRun: false }, run),
  )
  operations.define('import', (caller, domainId, input: ZoneFileInput | KeptInput, run) =>
    'kept' in input
      ? applyKept(caller, domainId, input, run)
      : importZoneFile(context, caller, domainId, input, run),
  )
  operations.define('retry', (caller, domainId, input: ChangeInput | KeptInput, run) =>
    'kept' in input
      ? applyKept(caller, domainId, input, run)
      : retryChange(context, caller, domainId, { ...input, dryRun: false }, run),
  )
  operations.define('restore', (caller, domainId, input: ({ at: string } & Confirming) | KeptInput, run) =>
    'kept' in input
      ? applyKept(caller, domainId, input, run)
      : restoreRecords(context, caller, domainId, { ...input, apply: true }, run),
  )
  operations.define('revert', (caller, domainId, input: ChangeInput | PlanInput | KeptInput, run) => {
    if ('kept' in input) return applyKept(caller, domainId, input, run)
    if ('planId' in input) return runDomainsPlan(contexts, caller, 'revert', input.planId, run, input)
    return revertChange(context, caller, domainId, { ...input, dryRun: false }, run)
  })
}
