import { isDeepStrictEqual } from 'node:util'
import type { Executor } from '../../../db/connection/connect.ts'
import type { ChangeSource } from '../../../db/tables/index.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import type { OperationKind } from '../../../schemas/operation.ts'
import { keepPlan, readPlan, type KeptPlan } from '../kept-plans/service.ts'
import type { SetKey } from '../plan/known-values.ts'
import type { RequestedChange, Step } from '../plan/change.ts'
import type { Plan } from '../plan/plan.ts'
import { toContent } from '../plan/plan-mapper.ts'

/** Changes of one domain that are kept. */
export interface KeptChanges {
  /** As which the history shows them; all but those that a user wrote (`apply`) are taken verbatim. */
  source: 'apply' | Extract<OperationKind, ChangeSource>
  requests: RequestedChange[]
  /** What is written whole: see `ApplyOptions`. */
  exact?: 'zone' | SetKey[]
  /** Which of the changes that were asked for each request comes from; missing: they are the same. */
  origins?: number[]
}

/** What a plan does to one record, in the words of answers. */
export interface Effect {
  /** Null: it is new, and gets its id when it is made. */
  recordId: string | null
  before: ReturnType<typeof toContent> | null
  after: ReturnType<typeof toContent> | null
}

const KIND = 'records'

/**
 * Keeps changes of a domain with what `plan` shows of them. Null when there is nothing to apply: a change can't be
 * done, or all is as it should be already.
 */
export async function keepChanges(
  db: Executor,
  caller: Caller,
  domainId: string,
  changes: KeptChanges,
  plan: Plan,
): Promise<KeptPlan | { planId: null; planExpiresAt: null }> {
  if (plan.refusals.length > 0 || plan.steps.length === 0) return { planId: null, planExpiresAt: null }
  return keepPlan(db, caller, { kind: KIND, domainId, body: changes, shown: effectsOf(plan.steps) })
}

/** The changes that were kept, and what was shown of them. 404 when there are none, 409 when they were applied. */
export async function readChanges(db: Executor, caller: Caller, domainId: string, planId: string) {
  const { body, shown } = await readPlan(db, caller, planId, { kind: KIND, domainId })
  return { changes: body as KeptChanges, shown: shown as Effect[] }
}

/** What steps do, as plain data: to be kept, and to be compared by `isAsShown`. */
export const effectsOf = (steps: Step[]): Effect[] =>
  steps.map(({ action, recordId, before, after }) => ({
    recordId: action === 'create' ? null : recordId,
    before: before && toContent(before),
    after: after && toContent(after),
  }))

/** Whether a plan does what was shown, to the same records, in whatever order. */
export function isAsShown({ steps, refusals }: Plan, shown: Effect[]): boolean {
  return refusals.length === 0 && isDeepStrictEqual(sorted(effectsOf(steps)), sorted(shown))
}

const sorted = (effects: Effect[]) => effects.map((effect) => JSON.stringify(effect)).sort()
