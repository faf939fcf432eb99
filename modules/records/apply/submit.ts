import type { Executor } from '../../../db/connection/connect.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { Later } from '../../../schemas/records/later.ts'
import { requireDomain } from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { ChangesRefused, refuseAll } from '../errors.ts'
import { endPlan, holdPlan, keepPlan, type KeptBody } from '../kept-plans/service.ts'
import { type Effect, toPlan } from '../plan/plan-mapper.ts'
import type { KeptIntent, RequestsIntent } from '../plan/intent.ts'
import { previewChanges } from '../plan/preview.ts'
import { scheduleChanges } from '../scheduled/schedule.ts'
import { applyChanges, type ApplyOptions, requireApplied } from './apply.ts'
import { repeatedChange } from './journal/keyed-change.ts'
import { needsReview } from './review.ts'
import { untilConfirmed } from '../confirmation/until-confirmed.ts'

/* Previewing and applying for requests that return a plan. */

type Source = Pick<KeptBody, 'source'>

/** Returns the answer with the plan of an intent. With `keep` the plan is kept and can be applied by its id. */
export async function showPlan(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  intent: RequestsIntent & Source,
  keep: boolean,
) {
  const plan = await previewChanges(context, caller, domainId, intent)
  return { ...toPlan(plan, null), ...(keep && (await keepPlan(context.db, caller, domainId, intent, plan))) }
}

/** Input of an operation that applies a kept plan. */
export interface KeptInput {
  kept: KeptBody
  shown: Effect[]
  confirmWithin?: number
}

/**
 * Applies an intent and returns the answer with its plan. More changes than one request may apply continue as an operation,
 * which is returned instead: it gets `input` or the kept plan, and calls this again with its `run`. With `applyAt` they are
 * scheduled instead. Rejects with all conflicts.
 */
export async function submitChanges(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  intent: (RequestsIntent | KeptIntent) & Source,
  {
    input = null,
    applyAt,
    ...options
  }: Pick<ApplyOptions, 'run' | 'ifVersions' | 'emergencyReason'> & Later & { input?: object | null } = {},
) {
  const { source, requests } = intent
  const { confirmWithin } = options
  if (applyAt !== undefined)
    return scheduleChanges(context, caller, domainId, intent, { applyAt, ...options })
  if (source !== 'apply' && !options.run && requests.length > context.operations.largeChange) {
    const domain = await requireDomain(context.db, caller, domainId, 'write')
    if (!needsReview(domain, caller, intent)) {
      const confirming = confirmWithin === undefined ? {} : { confirmWithin }
      const work =
        intent.kind === 'kept' ? keptInput(intent, confirming) : { input: { ...input, ...confirming } }
      const operation = { kind: source, caller, domain, total: requests.length, ...work }
      return { operation: await context.operations.begin(operation) }
    }
  }
  try {
    const applied = await applyChanges(context, caller, domainId, intent, { ...options, isWhole: true })
    const { plan, changeId } = requireApplied(applied)
    return {
      ...toPlan(plan, changeId),
      ...(await untilConfirmed(context.db, changeId, { confirmWithin })),
    }
  } catch (error) {
    throw error instanceof ChangesRefused ? refuseAll(error.refusals) : error
  }
}

/** A kept plan as the input of an operation, marked as applied when the operation is stored. */
function keptInput(
  { planId, source, requests, exact, origins, reverts, expected }: KeptIntent & Source,
  confirming: Pick<KeptInput, 'confirmWithin'>,
) {
  const kept = {
    source,
    requests,
    ...(exact && { exact }),
    ...(origins && { origins }),
    ...(reverts !== undefined && { reverts }),
  }
  const input = { kept, shown: expected as Effect[], ...confirming } satisfies KeptInput
  if (planId === null) return { input }
  const take = async (trx: Executor, operationId: string) => {
    await holdPlan(trx, planId)
    await endPlan(trx, planId, { operationId })
    return requests.length
  }
  return { input, take }
}

/** Returns the plan that an earlier run of the request with the same Idempotency-Key applied, else the result of `work`. */
export const onceApplied = <T extends object>(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  work: () => Promise<T>,
) => once(caller, async () => (await repeatedPlan(context, caller, domainId)) ?? work())

/** Returns the plan that an earlier run of the request applied. */
export async function repeatedPlan(context: RecordContext, caller: Caller, domainId: string) {
  const applied = await repeatedChange(context, caller, domainId)
  return applied && toPlan(applied.plan, applied.changeId)
}
