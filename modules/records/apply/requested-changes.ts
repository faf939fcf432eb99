import type { Caller } from '../../../plugins/security/access/index.ts'
import { AppError, conflict, invalid } from '../../../plugins/http/errors.ts'
import {
  recordScopeOf,
  requireDomain,
  seesRecord,
  type GrantedDomain,
  type RecordScope,
} from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { readKeptPlan } from '../kept-plans/service.ts'
import { describe, rrsetParams, type RequestedChange } from '../plan/change.ts'
import { missingIn, type ChangeBody } from '../plan/faults.ts'
import type { KeptIntent } from '../plan/intent.ts'
import { adoptSets, adoptZone } from '../sync/adoption.ts'
import type { Later } from '../../../schemas/records/later.ts'
import { emergencyOf } from './review.ts'
import { showPlan, submitChanges } from './submit.ts'
import { expandSets, type SetChange } from './whole-sets.ts'

/** Plans the changes of a body. With `keep` the plan is kept and can be applied by its id. */
export async function planBody(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { changes, keep }: { changes: ChangeBody[]; keep: boolean },
) {
  return showPlan(context, caller, domainId, await intentOf(context, caller, domainId, changes), keep)
}

/** Applies all changes of a body or the kept plan it names, or none if one of them can't be done. */
export async function submitBody(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  {
    changes,
    planId,
    applyAt,
    confirmWithin,
    ...given
  }: { changes?: ChangeBody[]; planId?: string; emergency?: boolean; reason?: string } & Later,
) {
  const options = { ...emergencyOf(given), applyAt, confirmWithin }
  if (changes && planId !== undefined) {
    throw invalid({ path: '/planId', code: 'beside_changes', message: 'cannot be combined with changes' })
  }
  if (planId !== undefined) {
    const intent = await keptIntentOf(context, caller, domainId, planId)
    return submitChanges(context, caller, domainId, intent, options)
  }
  if (!changes)
    throw invalid({ path: '/changes', code: 'required', message: 'is required unless planId is given' })
  return asTheyAre(async () =>
    submitChanges(context, caller, domainId, await intentOf(context, caller, domainId, changes), options),
  )
}

/** How often changes are made anew because others changed the same RRsets meanwhile. */
const ATTEMPTS = 3

/** Repeats `work` while the RRsets it writes whole change between reading and writing. */
export async function asTheyAre<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof AppError && error.code === 'plan_outdated')) throw error
    }
  }
}

/** Returns the intent of the changes of a body; the provider's values in RRsets that are written whole are adopted first. */
export async function intentOf(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  changes: ChangeBody[],
) {
  const expanded = await expandSets(context, caller, domainId, toRequests(changes))
  return { kind: 'requests', source: 'apply', ...expanded } as const
}

async function keptIntentOf(context: RecordContext, caller: Caller, domainId: string, planId: string) {
  const domain = await requireDomain(context.db, caller, domainId, 'write')
  const intent = await readKeptPlan(context.db, caller, domainId, planId)
  await requireNothingElse(context, domain, recordScopeOf(domain, caller), intent)
  return intent
}

/** Rejects with 409 where the provider, in RRsets that are written whole, holds more than when the plan was made. */
export async function requireNothingElse(
  context: RecordContext,
  domain: GrantedDomain,
  scope: RecordScope,
  { exact }: Pick<KeptIntent, 'exact'>,
): Promise<void> {
  if (exact === undefined) return
  const adopted = await (exact === 'zone' ? adoptZone(context, domain) : adoptSets(context, domain, exact))
  const [first, ...more] = adopted.filter((content) => seesRecord(scope, content))
  if (!first) return
  const count = more.length + 1
  throw conflict(
    `The provider holds values that this plan does not know, such as ${describe(first)}; make a new plan`,
    {
      reason: 'unknown_siblings',
      params: { ...rrsetParams(first), count, values: first.value },
    },
  )
}

function toRequests(changes: ChangeBody[]): (RequestedChange | SetChange)[] {
  const errors = changes.flatMap((change, index) =>
    missingIn(change).map((error) => ({ ...error, path: `/changes/${index}${error.path}` })),
  )
  if (errors.length > 0) throw invalid(...errors)
  return changes as (RequestedChange | SetChange)[]
}
