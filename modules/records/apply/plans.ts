import type { Executor } from '../../../db/connection/connect.ts'
import type { ChangeSource } from '../../../db/tables/index.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { AppError, conflict, invalid, type FieldError } from '../../../plugins/http/errors.ts'
import type { OperationKind } from '../../../schemas/operation.ts'
import {
  recordScopeOf,
  requireDomain,
  seesRecord,
  type GrantedDomain,
  type RecordScope,
} from '../../domains/access/access.ts'
import type { OperationRun } from '../../operations/contract.ts'
import { endPlan, holdPlan } from '../kept-plans/service.ts'
import { previewChanges, type ApplyOptions, type RecordContext } from './apply.ts'
import { adoptSets, adoptZone } from '../sync/adoption.ts'
import { describe, placeOf, type RequestedChange, type RecordInput } from '../plan/change.ts'
import { keepChanges, readChanges, type Effect, type KeptChanges } from './kept-plans.ts'
import type { Plan, Refusal } from '../plan/plan.ts'
import { repeatedChange } from './journal/repeated.ts'
import { toPlan } from '../plan/plan-mapper.ts'
import { applyTogether } from './records.ts'
import { expandSets, type SetChange } from './whole-sets.ts'

export interface ChangeBody extends RecordInput {
  action: 'create' | 'update' | 'delete' | 'set'
  recordId?: string
  version?: number
  /** Of `set`. */
  values?: string[]
}

/** What the changes would do, without doing it. With `keep` it can be applied by its id. */
export async function planRecords(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { changes, keep }: { changes: ChangeBody[]; keep: boolean },
) {
  const expanded = await expandSets(context, caller, domainId, toRequests(changes))
  return preview(context, caller, domainId, { source: 'apply', ...expanded }, keep)
}

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
  const done = await repeatedPlan(context, caller, domainId)
  if (done) return done
  const { requests, ...options } = await expandSets(context, caller, domainId, toRequests(changes))
  return applyRequests(context, caller, domainId, requests, 'apply', options)
}

/** Does what a plan has shown, where it would do the same now: else 409 `plan_outdated`, and nothing is done. */
async function applyKept(context: RecordContext, caller: Caller, domainId: string, planId: string) {
  const domain = await requireDomain(context.db, caller, domainId, 'write')
  const done = await repeatedPlan(context, caller, domainId)
  if (done) return done
  const { changes, shown } = await readChanges(context.db, caller, domainId, planId)
  const { source, requests } = changes
  await requireNothingElse(context, domain, changes, recordScopeOf(domain, caller))
  if (source === 'apply') {
    const options = { ...keptOptions({ kept: changes, shown }), planId }
    return applyRequests(context, caller, domainId, requests, source, options)
  }
  return applyAgain(context, {
    kind: source,
    caller,
    domain,
    input: { kept: changes, shown },
    run: undefined,
    planId,
  })
}

/** A 409 where the provider holds more by now, in sets that are written whole, than when the plan was made. */
async function requireNothingElse(
  context: RecordContext,
  domain: GrantedDomain,
  { exact }: KeptChanges,
  scope: RecordScope,
): Promise<void> {
  if (exact === undefined) return
  const adopted = await (exact === 'zone' ? adoptZone(context, domain) : adoptSets(context, domain, exact))
  const [first, ...more] = adopted.filter((content) => seesRecord(scope, content))
  if (!first) return
  const count = more.length + 1
  throw conflict(`The provider holds more than this plan knows, such as ${describe(first)}; plan it again`, {
    reason: 'unknown_siblings',
    params: { ...placeOf(first), count, values: first.value },
  })
}

/** What the input of an operation is when a kept plan goes on as one. */
export interface KeptInput {
  kept: KeptChanges
  shown: Effect[]
}

/** The same, also as the work of the operation. */
export const applyAgain = (context: RecordContext, wish: Wish & { input: KeptInput }) =>
  applyVerbatim(context, wish, wish.input.kept.requests, keptOptions(wish.input))

const keptOptions = ({ kept: { exact, origins }, shown }: KeptInput) => ({
  expected: shown,
  ...(exact && { exact }),
  ...(origins && { origins }),
})

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
  requests: RequestedChange[],
  { expected, exact }: Pick<ApplyOptions, 'expected' | 'exact'> = {},
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
    ...(exact && { exact }),
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
  const { source, requests, origins } = changes
  const plan = await previewChanges(context, caller, domainId, requests, { verbatim: source !== 'apply' })
  const kept = keep ? await keepChanges(context.db, caller, domainId, changes, plan) : {}
  return { ...toPlan(byOrigin(plan, origins), null), ...kept }
}

async function applyRequests(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: RequestedChange[],
  source: ChangeSource,
  {
    origins,
    ...options
  }: Pick<ApplyOptions, 'verbatim' | 'run' | 'expected' | 'exact' | 'ifVersions' | 'planId'> & {
    origins?: number[]
  } = {},
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
    refuse: (refusals) => refuseAll(byOrigin({ steps: [], refusals, warnings: [] }, origins).refusals),
  })
  return toPlan(byOrigin(applied.plan, origins), applied.changeId)
}

/** The plan in terms of the changes that were asked for, of which one may be several requests. */
function byOrigin({ steps, refusals, warnings }: Plan, origins: number[] | undefined): Plan {
  if (!origins) return { steps, refusals, warnings }
  const of = <T extends { index: number | null }>(one: T): T => ({
    ...one,
    index: one.index === null ? null : (origins[one.index] ?? one.index),
  })
  return { steps: steps.map(of), refusals: refusals.map(of), warnings: warnings.map(of) }
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

function toRequests(changes: ChangeBody[]): (RequestedChange | SetChange)[] {
  const errors = changes.flatMap((change, index) =>
    missingIn(change).map((error) => ({ ...error, path: `/changes/${index}${error.path}` })),
  )
  if (errors.length > 0) throw invalid(...errors)
  return changes as (RequestedChange | SetChange)[]
}

/** The fields that the action needs and the change has not. */
export function missingIn(change: ChangeBody): FieldError[] {
  const creates = [
    'recordType',
    'name',
    ...(change.strings || change.data ? [] : ['value' as const]),
  ] as const
  const sets = ['recordType', 'name', 'values'] as const
  const needed =
    change.action === 'create' ? creates : change.action === 'set' ? sets : (['recordId'] as const)
  return needed
    .filter((field) => change[field] === undefined)
    .map((field) => ({ path: `/${field}`, code: 'required', message: `is required to ${change.action}` }))
}
