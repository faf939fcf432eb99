import type { RecordContent, Step } from './change.ts'
import { toShownValue, toSnapshot } from '../list/mapper.ts'
import type { Plan } from './plan.ts'

/** A plan as clients see it. */
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
