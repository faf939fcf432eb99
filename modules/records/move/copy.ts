import type { Caller } from '../../../plugins/security/access/index.ts'
import { AppError, conflict, invalid, unavailable } from '../../../plugins/http/errors.ts'
import { recordAudit } from '../../audit/service.ts'
import { requireDomain, type GrantedDomain } from '../../domains/access/access.ts'
import { createZone, requireCreatable, zoneMissing } from '../../domains/service.ts'
import type { OperationRun } from '../../operations/contract.ts'
import { openConnection } from '../../providers/traffic/connection.ts'
import type { Zone } from '../../providers/contract.ts'
import { providerFailure, throwProviderFailure } from '../../providers/errors.ts'
import type { RecordContext } from '../context.ts'
import type { Step } from '../plan/change.ts'
import type { StepOutcome } from '../apply/journal/journal-queries.ts'
import type { Plan } from '../plan/plan.ts'
import { toContent } from '../list/mapper.ts'
import { toPlan } from '../plan/plan-mapper.ts'
import { sendSteps } from '../apply/provider/provider-edits.ts'
import { readProvider } from '../sync/sync-provider.ts'
import { READ_BUDGETS, withZoneMemory } from '../sync/zone-memory.ts'
import { planCopy, type CopyMode } from './copy-plan.ts'
import { holdingsOf, NOTHING, openTarget, type Destination, type Target } from './target.ts'

export interface CopyInput extends Destination {
  createZone: boolean
  mode: CopyMode
  /** Leaves out records that the provider does not support. */
  skipRefused: boolean
}

/** Most conflicts in an error. */
export const SHOWN = 100

/**
 * Copies the records of a domain to another provider, or plans it. The domain itself does not change, so nothing has to be
 * reverted or reconciled: another copy continues from what is there. A large copy continues as an operation, which calls
 * this again with its `run`.
 */
export async function copyDomain(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { dryRun, ...input }: CopyInput & { dryRun: boolean },
  run?: OperationRun,
) {
  const domain = await requireDomain(context.db, caller, domainId, 'manage')
  const target = await openTarget(context, caller, domain, input)
  const { provider } = target.host
  if (provider.capabilities.truth === 'local') {
    const message = 'stores no records itself; switch the domain without copying'
    throw invalid({ path: '/providerConfigId', code: 'nothing_held', message })
  }
  if (!target.zone) {
    if (!input.createZone) throw zoneMissing(provider, '/providerConfigId')
    requireCreatable(provider, target.config)
  }
  const copy = { context, caller, domain, target, input, run }
  if (dryRun) return toAnswer(await plan(copy, target.zone), target.zone, { applied: false })
  if (!(await context.leases.take('copy', domainId))) {
    throw conflict(`A copy of ${domain.name} is already in progress; try again later`, {
      reason: 'copy_under_way',
    })
  }
  try {
    return await doCopy(copy)
  } finally {
    await context.leases.end('copy', domainId)
  }
}

interface Copy {
  context: RecordContext
  caller: Caller
  domain: GrantedDomain
  target: Target
  input: CopyInput
  run: OperationRun | undefined
}

async function doCopy(copy: Copy) {
  const { context, caller, domain, target, input, run } = copy
  const first = await plan(copy, target.zone)
  if (first.refusals.length > 0 && !input.skipRefused) throw refused(first, target)
  const { largeChange } = context.operations
  if (!run && first.steps.length > largeChange) {
    const total = first.steps.length
    return { operation: await context.operations.begin({ kind: 'copy', caller, domain, input, total }) }
  }
  const zone = target.zone ?? (await makeZone(copy))
  // A new zone has the records its provider creates.
  const planned = target.zone ? first : await plan(copy, zone)
  await run?.starts(planned.steps.length)
  return send(copy, zone, planned)
}

/** Plans the copy. `zone`: null if it does not exist yet. */
async function plan({ context, caller, domain, target, input, run }: Copy, zone: Zone | null): Promise<Plan> {
  // An operation has more time, and waits for zone memory without limit.
  const patience = run
    ? { budgets: 1 }
    : { budgets: READ_BUDGETS.request, waitMs: context.providerLimits.budgetMs / 2 }
  return withZoneMemory(context, domain, patience, async (limits) => {
    const connection = openConnection(context, target.config, { limits })
    const there = zone ? await readProvider(connection, zone) : NOTHING
    const here = await holdingsOf(context.db, caller, domain, target.host.from)
    return planCopy(here, target.host, there, input.mode)
  }).catch(throwProviderFailure)
}

async function makeZone({ context, caller, domain, target: { config } }: Copy): Promise<Zone> {
  const zone = await createZone(openConnection(context, config), config, domain.name)
  await recordAudit(context.db, caller, {
    action: 'domain.zone_created',
    target: { type: 'domain', id: domain.id, name: domain.name },
    after: { providerConfigId: config.id, zoneId: zone.id },
  })
  return zone
}

async function send(copy: Copy, zone: Zone, planned: Plan) {
  const { context, caller, domain, target, input, run } = copy
  const { steps } = planned
  if (steps.length === 0) return toAnswer(planned, zone, { applied: false })
  const { outcomes, failure } = await sendSteps(openConnection(context, target.config), zone, steps, {
    separate: input.skipRefused,
    ...(run && { run }),
  })
  const applied = steps.filter((_, i) => outcomes[i]?.outcome === 'applied')
  if (applied.length > 0 || outcomes.some(({ outcome }) => outcome === 'pending'))
    await recordAudit(context.db, caller, {
      action: 'domain.copied',
      target: { type: 'domain', id: domain.id, name: domain.name },
      after: {
        providerConfigId: target.config.id,
        zoneId: zone.id,
        ...countsOf(applied),
        failed: steps.length - applied.length,
        leftOut: planned.refusals.length,
      },
    })
  if (failure === null) return toAnswer(planned, zone, { applied: true })
  // Another instance continues from what is there.
  if (run?.stopping.aborted) throw unavailable('The service stopped before all records were copied')
  const isRefusal = failure.kind === 'rejected' || failure.kind === 'conflict'
  const isSettled = outcomes.every(({ outcome }) => outcome !== 'pending')
  if (input.skipRefused && isRefusal && isSettled)
    return toAnswer(planned, zone, { applied: applied.length > 0, failed: failedOf(steps, outcomes) })
  const { status, code, headers, message } = providerFailure(failure)
  const detail = `${message}; ${applied.length} of ${steps.length} changes were made; start another copy to continue`
  throw new AppError(status, code, detail, { headers, cause: failure })
}

const countsOf = (applied: Step[]) => {
  const of = (action: Step['action']) => applied.filter((step) => step.action === action).length
  return { created: of('create'), updated: of('update'), deleted: of('delete') }
}

const failedOf = (steps: Step[], outcomes: StepOutcome[]) =>
  steps.flatMap(({ action, recordId, before, after }, i) => {
    const outcome = outcomes[i]
    const content = after ?? before
    if (outcome?.outcome !== 'failed' || !content) return []
    return [{ action, recordId, record: toContent(content), error: outcome.error }]
  })

function toAnswer(
  planned: Plan,
  zone: Zone | null,
  { applied, failed = [] }: { applied: boolean; failed?: ReturnType<typeof failedOf> },
) {
  return { plan: { ...toPlan(planned, null), applied }, zoneId: zone?.id ?? null, failed }
}

function refused({ refusals }: Plan, { host: { provider } }: Target) {
  const [first] = refusals
  const detail = `${provider.name} does not support ${refusals.length} of the records, such as ${first?.detail}; set "skipRefused": true to leave them out`
  const { conflicts } = toPlan({ steps: [], refusals: refusals.slice(0, SHOWN), warnings: [] }, null)
  return conflict(detail, { conflicts })
}
