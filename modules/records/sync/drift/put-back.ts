import { v7 as uuidv7 } from 'uuid'
import { memberKey } from '../../../../dns/names/rrset.ts'
import { toRequest } from '../../history/states.ts'
import { toState } from '../../list/mapper.ts'
import { namesTouchedSince, type ChangePosition } from '../../list/queries.ts'
import { contentOf, type RecordState, type Step } from '../../plan/change.ts'
import type { EnforcedIntent } from '../../plan/intent.ts'
import type { Differences } from '../sync-differences.ts'
import { atNames, namesOf } from './outside.ts'

/**
 * Returns the intent that writes the records here to the provider, which differed at position `since`. The plan is made on
 * what the provider holds; names that were changed here since are left out. `take`: as in EnforcedIntent.
 */
export const putBackIntent = (
  domainId: string,
  { outside, since }: { outside: Differences; since: ChangePosition },
  take: EnforcedIntent['take'],
): EnforcedIntent => ({
  kind: 'enforced',
  source: 'enforce',
  names: namesOf(outside),
  take,
  async against(trx, records) {
    const touched = await namesTouchedSince(trx, domainId, since)
    const { created, updated, deleted } = atNames(outside, (name) => !touched.has(name))
    const changed = new Map(updated.map(({ id, found }) => [id, found]))
    const missing = new Map(deleted.map((record) => [record.id, record]))
    const unknown = created.map((found) => ({ ...found, id: uuidv7() }))
    const current = [
      ...records.map(toState).flatMap((state): RecordState[] => {
        if (missing.has(state.id)) return []
        const found = changed.get(state.id)
        return [found ? { ...state, ...found.content, providerId: found.providerId } : state]
      }),
      ...unknown.map(({ id, content, providerId }): RecordState => ({
        ...content,
        id,
        version: 1,
        status: 'active',
        providerId,
      })),
    ]
    const ids = new Map(deleted.map((record) => [memberKey(record), record.id]))
    return {
      current,
      requests: [
        ...unknown.flatMap(({ id, content }) => toRequest(id, content, null, false)),
        ...updated.flatMap(({ id, before, found }) => toRequest(id, found.content, before, false)),
        ...deleted.flatMap((record) => toRequest(record.id, null, contentOf(record), false)),
      ],
      toStep: (step) => restored(step, ids),
    }
  },
})

/** A record that is missing at the provider keeps its identity here: it is not created, but written again. */
function restored(step: Step, ids: ReadonlyMap<string, string>): Step {
  const id = step.action === 'create' && step.after ? ids.get(memberKey(step.after)) : undefined
  return id === undefined ? step : { ...step, action: 'update', recordId: id }
}
