import { AppError, conflict } from '../../../plugins/http/errors.ts'
import { refuseAll } from '../errors.ts'
import { toPlan, type Effect } from '../plan/plan-mapper.ts'
import type { Plan } from '../plan/plan-outcome.ts'
import type { KeptBody } from './service.ts'

/* Plans that are stored as they were shown, and applied later: after an approval, or at a time. */

/** Most records that a stored plan changes: a person has to look at them. */
const MAX_STEPS = 10_000

/** A stored plan as answers show it. */
export type ShownPlan = Pick<ReturnType<typeof toPlan>, 'creates' | 'updates' | 'deletes' | 'warnings'>

/** The columns of a stored plan; the first three are JSON. */
export interface StoredPlan {
  body: string
  plan: string
  /** Names and types that it touches: `[{name, type}]`. */
  touched: string
  created: number
  updated: number
  deleted: number
}

/** Rejects when the plan can't be applied or changes nothing, and with 413 when it changes too many records. */
export function storedPlan(body: KeptBody, plan: Plan): StoredPlan {
  if (plan.refusals.length > 0) throw refuseAll(plan.refusals)
  if (plan.steps.length === 0)
    throw conflict('These changes would change nothing', { reason: 'nothing_to_change' })
  if (plan.steps.length > MAX_STEPS)
    throw new AppError(413, 'payload_too_large', `At most ${MAX_STEPS} records can be changed later`)
  const { creates, updates, deletes, warnings } = toPlan(plan, null)
  const touched = plan.steps
    .flatMap(({ before, after }) => [before, after])
    .flatMap((side) => (side ? [`${side.type} ${side.name}`] : []))
  return {
    body: JSON.stringify(bodyOf(body)),
    plan: JSON.stringify({ creates, updates, deletes, warnings } satisfies ShownPlan),
    touched: JSON.stringify([...new Set(touched)].map(placeOf)),
    created: creates.length,
    updated: updates.length,
    deleted: deletes.length,
  }
}

const bodyOf = ({ source, requests, exact, origins, reverts }: KeptBody): KeptBody => ({
  source,
  requests,
  ...(exact && { exact }),
  ...(origins && { origins }),
  ...(reverts !== undefined && { reverts }),
})

function placeOf(key: string) {
  const [type = ''] = key.split(' ', 1)
  return { name: key.slice(type.length + 1), type }
}

/** What applying a stored plan must do, as a kept plan states it. */
export const effectsIn = ({ creates, updates, deletes }: ShownPlan): Effect[] => [
  ...creates.map(({ before, after }) => ({ recordId: null, before, after })),
  ...[...updates, ...deletes].map(({ recordId, before, after }) => ({ recordId, before, after })),
]
