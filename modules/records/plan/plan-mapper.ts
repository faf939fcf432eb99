import { isDeepStrictEqual } from 'node:util'
import type { Step } from './change.ts'
import { toContent, toSnapshot } from '../list/mapper.ts'
import type { Plan } from './plan.ts'

/** Maps a plan to its answer. */
export function toPlan({ steps, refusals, warnings }: Plan, changeId: string | null) {
  const of = (action: Step['action']) =>
    steps
      .filter((step) => step.action === action)
      .map((step) => ({ index: step.index, ...effectOf(step), recordId: step.recordId }))
  return {
    creates: of('create'),
    updates: of('update'),
    deletes: of('delete'),
    conflicts: refusals.map(({ index, kind, code, params, detail, errors, record }) => ({
      index,
      kind,
      code,
      params,
      detail,
      recordId: record?.id ?? null,
      ...(kind === 'invalid' && { errors }),
      ...(kind === 'outdated' && record && { current: toSnapshot(record) }),
    })),
    warnings,
    applied: changeId !== null,
    changeId,
  }
}

/** What a plan does to one record, as answers show it. */
export interface Effect {
  /** Null for a new record. */
  recordId: string | null
  before: ReturnType<typeof toContent> | null
  after: ReturnType<typeof toContent> | null
}

/** The effect of a step as plain data, to keep it with a plan. */
export const effectOf = ({
  action,
  recordId,
  before,
  after,
}: Pick<Step, 'action' | 'recordId' | 'before' | 'after'>): Effect => ({
  recordId: action === 'create' ? null : recordId,
  before: before && toContent(before),
  after: after && toContent(after),
})

/** Whether a plan does what was shown, to the same records, in any order. */
export function isAsShown({ steps, refusals }: Plan, shown: Effect[]): boolean {
  return refusals.length === 0 && isDeepStrictEqual(sorted(steps.map(effectOf)), sorted(shown))
}

const sorted = (effects: Effect[]) => effects.map((effect) => JSON.stringify(effect)).sort()
