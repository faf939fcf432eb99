import type { Executor } from '../../db/connect.ts'
import type { ChangeSource } from '../../db/tables.ts'
import type { Caller } from '../../plugins/access/index.ts'
import { AppError, conflict, invalid, type FieldError } from '../../plugins/errors.ts'
import type { OperationKind } from '../../schemas/operation.ts'
import { requireDomain, type GrantedDomain } from '../domains/access.ts'
import type { OperationRun } from '../operations/contract.ts'
import { endPlan, holdPlan } from '../plans/service.ts'
import { previewChanges, type ApplyOptions, type RecordContext } from './apply.ts'
import type { ChangeRequest, RecordInput } from './change.ts'
import { keepChanges, readChanges, type Effect, type KeptChanges } from './kept-plans.ts'
import type { Refusal } from './plan.ts'
import { repeatedChange } from './repeated.ts'
import { toPlan } from './plan-mapper.ts'
import { applyTogether } from './service.ts'

export interface ChangeBody extends RecordInput {
  action: 'create' | 'update' | 'delete'
  recordId?: string
  version?: number
}

/** What the changes would do, without doing it. With `keep` it can be applied by its id. */
export const planRecords = (
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { changes, keep }: { changes: ChangeBody[]; keep: boolean },
) => preview(context, caller, domainId, { source: 'apply', requests: toRequests(changes) }, keep)

/** Does all of the changes, or of what the plan has kept, or, when one can't be done, none. */
export async function applyRecords(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { changes, planId }: { changes?: ChangeBody[]; planId?: string },
) {
  if (changes && planId !== undefined) {
    throw invalid({ path: '/planId', code: 'beside_changes', message: 'comes in place of changes' })
  }
  if (planId !== undefined) return applyKept(context, caller, domainId, planId)
  if (!changes) throw invalid({ path: '/changes', code: 'required', message: 'or a planId is required' })
  return applyRequests(context, caller, domainId, toRequests(changes), 'apply')
}

/** Does what a plan has shown, where it would do the same now: else 409 `plan_outdated`, and nothing is done. */
async function applyKept(context: RecordContext, caller: Caller, domainId: string, planId: string) {
  const domain = await requireDomain(context.db, caller, domainId, 'write')
  const done = await repeatedPlan(context, caller, domainId)
  if (done) return done
  const { changes, shown } = await readChanges(context.db, caller, domainId, planId)
  const { source, requests } = changes
  if (source === 'apply')
    return applyRequests(context, caller, domainId, requests, source, { expected: shown, planId })
  return applyAgain(context, {
    kind: source,
    caller,
    domain,
    input: { kept: changes, shown },
    run: undefined,
    planId,
  })
}

/** What the input of an operation is when a kept plan goes on as one. */
export interface KeptInput {
  kept: KeptChanges
  shown: Effect[]
}

/** The same, also as the work of the operation. */
export const applyAgain = (context: RecordContext, wish: Wish & { input: KeptInput }) =>
  applyVerbatim(context, wish, wish.input.kept.requests, wish.input.shown)

/** What somebody asked for in few words, and which may turn out to be much. */
export interface Wish {
  kind: Extract<OperationKind, ChangeSource>
  caller: Caller
  domain: GrantedDomain
  /** What it is done by again, when it goes on as an operation. */
  input: object
  /** Set while it does. */
  run: OperationRun | undefined
  /** Versions of the domain's records that it is meant for; any when missing. */
  ifVersions?: number[]
  /** The kept plan that says it. */
  planId?: string
}

/** What an earlier run of the request came to, as a plan: see repeatedChange. */
export async function repeatedPlan(context: RecordContext, caller: Caller, domainId: string) {
  const applied = await repeatedChange(context, caller, domainId)
  return applied && toPlan(applied.plan, applied.changeId)
}

/**
 * The same for requests that the service makes itself: reverting, restoring, importing. They say things as they are,
 * and many of them go on as an operation, which is answered then.
 */
export async function applyVerbatim(
  context: RecordContext,
  wish: Wish,
  requests: ChangeRequest[],
  expected?: Effect[],
) {
  const { kind, caller, domain, input, run, ifVersions, planId } = wish
  const { largeChange } = context.operations
  const total = requests.length
  const done = await repeatedPlan(context, caller, domain.id)
  if (done) return done
  if (!run && total > largeChange) {
    const take = planId !== undefined && { take: taking(planId, total) }
    return { operation: await context.operations.begin({ kind, caller, domain, input, total, ...take }) }
  }
  return applyRequests(context, caller, domain.id, requests, kind, {
    verbatim: true,
    ...(run && { run }),
    ...(expected && { expected }),
    ...(ifVersions && { ifVersions }),
    ...(planId !== undefined && { planId }),
  })
}

/** Applies a kept plan as an operation, once. */
const taking = (planId: string, total: number) => async (trx: Executor, operationId: string) => {
  await holdPlan(trx, planId)
  await endPlan(trx, planId, { operationId })
  return total
}

/** What changes would do. With `keep` they are kept, to be applied by their id. */
export async function preview(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  changes: KeptChanges,
  keep: boolean,
) {
  const { source, requests } = changes
  const plan = await previewChanges(context, caller, domainId, requests, { verbatim: source !== 'apply' })
  const kept = keep ? await keepChanges(context.db, caller, domainId, changes, plan) : {}
  return { ...toPlan(plan, null), ...kept }
}

async function applyRequests(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: ChangeRequest[],
  source: ChangeSource,
  options: Pick<ApplyOptions, 'verbatim' | 'run' | 'expected' | 'ifVersions' | 'planId'> = {},
) {
  const done = await repeatedPlan(context, caller, domainId)
  if (done) return done
  if (requests.length === 0) {
    await requireDomain(context.db, caller, domainId, 'write')
    return toPlan({ steps: [], refusals: [], warnings: [] }, null)
  }
  const applied = await applyTogether(context, caller, domainId, requests, source, {
    ...options,
    isWhole: true,
    refuse: refuseAll,
  })
  return toPlan(applied.plan, applied.changeId)
}

/** All that stands against it at once, so that a client can show it. */
function refuseAll(refusals: Refusal[]): Error {
  const detail = refusals
    .map((refusal) => `change ${refusal.index}: ${refusal.detail}`)
    .slice(0, 5)
    .join('; ')
  const { conflicts } = toPlan({ steps: [], refusals, warnings: [] }, null)
  if (refusals.every(({ kind }) => kind === 'invalid')) {
    return invalid(
      ...refusals.flatMap(({ index, errors }) =>
        errors.map((error) => ({ ...error, path: `/changes/${index}${error.path}` })),
      ),
    )
  }
  if (refusals.some(({ kind }) => kind === 'forbidden')) {
    return new AppError(403, 'forbidden', detail, { extra: { conflicts } })
  }
  return conflict(detail, { conflicts })
}

function toRequests(changes: ChangeBody[]): ChangeRequest[] {
  const errors = changes.flatMap((change, index) =>
    missingIn(change).map((error) => ({ ...error, path: `/changes/${index}${error.path}` })),
  )
  if (errors.length > 0) throw invalid(...errors)
  return changes as ChangeRequest[]
}

/** The fields that the action needs and the change has not. */
export function missingIn(change: ChangeBody): FieldError[] {
  const creates = [
    'recordType',
    'name',
    ...(change.strings || change.data ? [] : ['value' as const]),
  ] as const
  const needed = change.action === 'create' ? creates : (['recordId'] as const)
  return needed
    .filter((field) => change[field] === undefined)
    .map((field) => ({ path: `/${field}`, code: 'required', message: `is required to ${change.action}` }))
}
