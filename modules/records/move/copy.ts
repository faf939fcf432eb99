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
import { toContent, toPlan } from '../plan/plan-mapper.ts'
import { sendSteps } from '../apply/provider/provider-edits.ts'
import { readProvider } from '../sync/sync-provider.ts'
import { BUDGETS, withZoneMemory } from '../sync/zone-memory.ts'
import { planCopy, type CopyMode } from './copy-plan.ts'
import { holdingsOf, NOTHING, openTarget, type Destination, type Target } from './target.ts'

export interface CopyInput extends Destination {
  createZone: boolean
  mode: CopyMode
  /** What the provider can't hold is left out. */
  skipRefused: boolean
}

/** Conflicts that an error names. */
export const SHOWN = 100

/**
 * Brings the records of a domain to another provider, or says what that would do. Nothing of the domain changes, so
 * nothing is to be undone or settled: what an ended instance or a lost answer has left is found there by the next copy.
 * Much of it goes on as an operation, whose work this is again, with its `run`.
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
    const message = 'keeps no records of its own: the domain can be switched to it at once'
    throw invalid({ path: '/providerConfigId', code: 'nothing_held', message })
  }
  if (!target.zone) {
    if (!input.createZone) throw zoneMissing(provider, '/providerConfigId')
    requireCreatable(provider, target.config)
  }
  const copy = { context, caller, domain, target, input, run }
  if (dryRun) return toAnswer(await plan(copy, target.zone), target.zone, { applied: false })
  if (!(await context.leases.take('copy', domainId))) {
    throw conflict(`A copy of ${domain.name} is under way already`, { reason: 'copy_under_way' })
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
  // A zone that was made has what its provider begins with.
  const planned = target.zone ? first : await plan(copy, zone)
  await run?.starts(planned.steps.length)
  return send(copy, zone, planned)
}

/** What makes the zone there hold what the domain has; null: there is none yet. */
async function plan({ context, caller, domain, target, input, run }: Copy, zone: Zone | null): Promise<Plan> {
  // An operation has more time, and waits for room as long as it takes.
  const patience = run
    ? { budgets: 1 }
    : { budgets: BUDGETS.byHand, waitMs: context.providerLimits.budgetMs / 2 }
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
  // Another instance goes on: it finds there what is done.
  if (run?.stopping.aborted) throw unavailable('The service stopped before all was copied')
  const isRefusal = failure.kind === 'rejected' || failure.kind === 'conflict'
  const isSettled = outcomes.every(({ outcome }) => outcome !== 'pending')
  if (input.skipRefused && isRefusal && isSettled)
    return toAnswer(planned, zone, { applied: applied.length > 0, failed: failedOf(steps, outcomes) })
  const { status, code, headers, message } = providerFailure(failure)
  const detail = `${message}; ${applied.length} of ${steps.length} changes were made, and another copy goes on from there`
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
  const detail = `${provider.name} can't hold ${refusals.length} of the records, such as ${first?.detail}; "skipRefused": true leaves them out`
  const { conflicts } = toPlan({ steps: [], refusals: refusals.slice(0, SHOWN), warnings: [] }, null)
  return conflict(detail, { conflicts })
}
