import type { Caller } from '../../plugins/security/access/index.ts'
import { AppError, conflict, invalid } from '../../plugins/http/errors.ts'
import {
  changesIntent,
  previewChanges,
  readKeptPlan,
  refuseAll,
  toPlan,
  type ChangeBody,
  type Effect,
  type KeptBody,
  type RecordContext,
} from '../records/service.ts'
import type { StoredPlan } from './queries.ts'

/** Most records that one request changes: a person has to look at them. */
const MAX_STEPS = 10_000

/** What the author wants; a request without either keeps its changes. */
export interface Wanted {
  changes?: ChangeBody[]
  planId?: string
}

/** The plan of a request as it is shown, and what an approval applies. */
export type ReviewedPlan = Pick<ReturnType<typeof toPlan>, 'creates' | 'updates' | 'deletes' | 'warnings'>

/** Returns the changes of a body, or those of the kept plan that it names. Throws a 400 unless one of both is given. */
export async function wantedOf(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { changes, planId }: Wanted,
): Promise<KeptBody> {
  if (changes && planId !== undefined)
    throw invalid({ path: '/planId', code: 'beside_changes', message: 'cannot be combined with changes' })
  if (planId !== undefined) return bodyOf(await readKeptPlan(context.db, caller, domainId, planId))
  if (!changes)
    throw invalid({ path: '/changes', code: 'required', message: 'is required unless planId is given' })
  return bodyOf(await changesIntent(context, caller, domainId, changes))
}

const bodyOf = ({ source, requests, exact, origins }: KeptBody): KeptBody => ({
  source,
  requests,
  ...(exact && { exact }),
  ...(origins && { origins }),
})

/** The same changes for the records as they are now: their versions are those of an earlier plan. */
export const asOfNow = (body: KeptBody): KeptBody => ({
  ...body,
  requests: body.requests.map((request) => {
    if (request.action === 'create') return request
    const { version: _version, ...rest } = request
    return rest
  }),
})

/**
 * Plans the changes as for somebody who may make them. Rejects when they can't be done or change nothing, and with 413 when
 * they are too many for one request.
 */
export async function planRequest(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  body: KeptBody,
): Promise<StoredPlan> {
  const intent = { ...body, kind: 'requests', verbatim: body.source !== 'apply' } as const
  const plan = await previewChanges(context, caller, domainId, intent, { isProposal: true })
  if (plan.refusals.length > 0) throw refuseAll(plan.refusals)
  if (plan.steps.length === 0)
    throw conflict('These changes would change nothing', { reason: 'nothing_to_change' })
  if (plan.steps.length > MAX_STEPS)
    throw new AppError(413, 'payload_too_large', `A change request can change at most ${MAX_STEPS} records`)
  const { creates, updates, deletes, warnings } = toPlan(plan, null)
  const touched = plan.steps
    .flatMap(({ before, after }) => [before, after])
    .flatMap((side) => (side ? [`${side.type} ${side.name}`] : []))
  return {
    body: JSON.stringify(body),
    plan: JSON.stringify({ creates, updates, deletes, warnings } satisfies ReviewedPlan),
    touched: JSON.stringify([...new Set(touched)].map(placeOf)),
    created: creates.length,
    updated: updates.length,
    deleted: deletes.length,
  }
}

function placeOf(key: string) {
  const [type = ''] = key.split(' ', 1)
  return { name: key.slice(type.length + 1), type }
}

/** What applying the plan must do, as a kept plan states it. */
export const effectsIn = ({ creates, updates, deletes }: ReviewedPlan): Effect[] => [
  ...creates.map(({ before, after }) => ({ recordId: null, before, after })),
  ...[...updates, ...deletes].map(({ recordId, before, after }) => ({ recordId, before, after })),
]
