import type { Schemas } from '../../../api/schema.d.ts'
import type { Planned, Tried } from '../model.ts'
import { changeOf, triedOf } from './outcomes.ts'
import type { Staged } from './staged.ts'

/** A record to be created has no stable id: applying the plan assigns another. */
const contentKey = (content: Schemas['RecordContent'] | null) =>
  content && JSON.stringify([content.name, content.recordType, content.value, content.routing?.key])

/**
 * Outcomes of a failed change, edit by edit: unstages applied edits and marks the others. Returns the number applied.
 */
export async function settleBy(
  domainId: string,
  changeId: string,
  { plan, edits }: Planned,
  staged: Staged,
): Promise<number> {
  const { items } = await changeOf(domainId, changeId)
  const created = new Map(
    plan.creates.flatMap(({ index, after }) =>
      index === null ? [] : [[contentKey(after), edits[index]?.[0]]],
    ),
  )
  const applied: string[] = []
  const records: string[] = []
  const others: [string, Tried][] = []
  for (const item of items) {
    const id = item.action === 'create' ? created.get(contentKey(item.after)) : item.recordId
    if (id === undefined) continue
    if (item.outcome === 'applied') {
      applied.push(id)
      records.push(item.recordId)
    } else others.push([id, triedOf(changeId, item)])
  }
  staged.settle(applied, records, others)
  return applied.length
}
