import type { Schemas } from '../../../api/schema.d.ts'
import type { Edit, Fields } from '../model.ts'

type RecordChange = Schemas['RecordChanges']['changes'][number]

/** Maximum number of changes in a plan. */
export const MAX_CHANGES = 1000

/** Request body of a new record: without a TTL the default applies; default values are omitted. */
function creation({ ttl, proxied, enabled, comment, ...rest }: Fields): Schemas['CreateChange'] {
  return {
    action: 'create',
    ...rest,
    ...(ttl !== null && ttl > 0 && { ttl }),
    ...(proxied && { proxied }),
    ...(!enabled && { enabled }),
    ...(comment !== '' && { comment }),
  }
}

export function changeOf(id: string, edit: Edit): RecordChange {
  if (edit.kind === 'create') return creation(edit.fields)
  const { version } = edit
  if (edit.kind === 'delete') return { action: 'delete', recordId: id, version }
  return { action: 'update', recordId: id, version, ...edit.fields }
}

/** Splits edits into plans, deletions first, as new records may replace deleted ones. */
export function inPlans(edits: readonly [string, Edit][]): [string, Edit][][] {
  const rank = { delete: 0, update: 1, create: 2 }
  const sorted = [...edits].sort(([, a], [, b]) => rank[a.kind] - rank[b.kind])
  const plans: [string, Edit][][] = []
  for (let at = 0; at < sorted.length; at += MAX_CHANGES) plans.push(sorted.slice(at, at + MAX_CHANGES))
  return plans
}
