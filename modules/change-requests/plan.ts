import type { Caller } from '../../plugins/security/access/index.ts'
import { invalid } from '../../plugins/http/errors.ts'
import {
  changesIntent,
  previewChanges,
  readKeptPlan,
  storedPlan,
  type ChangeBody,
  type KeptBody,
  type RecordContext,
  type StoredPlan,
} from '../records/service.ts'

/** What the author wants; a request without either keeps its changes. */
export interface Wanted {
  changes?: ChangeBody[]
  planId?: string
}

/** Returns the changes of a body, or those of the kept plan that it names. Throws a 400 unless one of both is given. */
export async function wantedOf(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { changes, planId }: Wanted,
): Promise<KeptBody> {
  if (changes && planId !== undefined)
    throw invalid({ path: '/planId', code: 'beside_changes', message: 'cannot be combined with changes' })
  if (planId !== undefined) return readKeptPlan(context.db, caller, domainId, planId)
  if (!changes)
    throw invalid({ path: '/changes', code: 'required', message: 'is required unless planId is given' })
  return changesIntent(context, caller, domainId, changes)
}

/** The same changes for the records as they are now: their versions are those of an earlier plan. */
export const asOfNow = (body: KeptBody): KeptBody => ({
  ...body,
  requests: body.requests.map((request) => {
    if (request.action === 'create') return request
    const { version: _version, ...rest } = request
    return rest
  }),
  ...(body.exact &&
    body.exact !== 'zone' && { exact: body.exact.map(({ records: _records, ...key }) => key) }),
})

/**
 * Plans the changes as if the caller had the permission to make them. Rejects like `storedPlan`.
 */
export async function planRequest(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  body: KeptBody,
): Promise<StoredPlan> {
  const intent = { ...body, kind: 'requests', verbatim: body.source !== 'apply' } as const
  return storedPlan(body, await previewChanges(context, caller, domainId, intent, { isProposal: true }))
}
