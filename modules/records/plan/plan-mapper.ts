import { isDeepStrictEqual } from 'node:util'
import type { RecordContent, Step } from './change.ts'
import { toShownValue, toSnapshot } from '../list/mapper.ts'
import type { Plan } from './plan.ts'

/** Maps a plan to its answer. */
export function toPlan({ steps, refusals, warnings }: Plan, changeId: string | null) {
  const of = (action: Step['action']) => steps.filter((step) => step.action === action).map(toPlannedChange)
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

const toPlannedChange = ({ index, recordId, before, after }: Step) => ({
  index,
  recordId,
  before: before && toContent(before),
  after: after && toContent(after),
})

export const toContent = ({
  name,
  type,
  value,
  ttl,
  priority,
  proxied,
  enabled,
  comment,
  routing,
}: RecordContent) => ({
  name,
  recordType: type,
  ...toShownValue({ type, value }),
  ttl,
  priority,
  proxied,
  enabled,
  comment,
  routing,
})

/** What a plan does to one record, as answers show it. */
export interface Effect {
  /** Null for a new record. */
  recordId: string | null
  before: ReturnType<typeof toContent> | null
  after: ReturnType<typeof toContent> | null
}

/** The effects of steps as plain data, to keep them with a plan. */
export const effectsOf = (steps: Step[]): Effect[] =>
  steps.map(({ action, recordId, before, after }) => ({
    recordId: action === 'create' ? null : recordId,
    before: before && toContent(before),
    after: after && toContent(after),
  }))

/** Whether a plan does what was shown, to the same records, in any order. */
export function isAsShown({ steps, refusals }: Plan, shown: Effect[]): boolean {
  return refusals.length === 0 && isDeepStrictEqual(sorted(effectsOf(steps)), sorted(shown))
}

const sorted = (effects: Effect[]) => effects.map((effect) => JSON.stringify(effect)).sort()
