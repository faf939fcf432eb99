import type { Executor } from '../../db/connection/connect.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import type { RecordType } from '../../schemas/records/record-type.ts'
import { isSufficient, mayChange, recordScopeOf, type Grant } from '../domains/access/access.ts'
import { findAdministrators, findWriters, type RequestRow } from './queries.ts'

/* Who may approve: another person than the author, with write permission for everything that the plan touches. */

type Touched = { name: string; type: RecordType }[]

interface Reviewed {
  author_id: string | null
  owner_id: string
  grants: readonly Grant[]
  touched: RequestRow['touched']
}

/** Whether the caller may approve or reject the request, as far as permissions decide. */
export const mayApprove = (request: Reviewed, principal: Principal): boolean =>
  request.author_id !== principal.userId && mayWriteAll(request, principal)

/** Whether the caller may write everything that the request touches. */
export const mayWriteAll = (request: Omit<Reviewed, 'author_id'>, principal: Principal): boolean => {
  const scope = recordScopeOf(request, principal)
  return (
    isSufficient(request, principal, 'write') &&
    (request.touched as Touched).every((touched) => mayChange(scope, touched))
  )
}

/** Ids of possible approvers; administrators only if nobody else may approve. */
export async function reviewersOf(
  db: Executor,
  request: Pick<RequestRow, 'domain_id' | 'author_id' | 'touched'>,
): Promise<string[]> {
  const writers = await findWriters(db, request.domain_id)
  if (!writers) return []
  const byUser = Map.groupBy(writers.grants, ({ user_id }) => user_id)
  const touched = request.touched as Touched
  const delegates = [...byUser].flatMap(([userId, grants]) => {
    const seen = grants.map(({ pattern }) => pattern)
    const scope = { seen, changeable: grants, token: { namePatterns: null, recordTypes: null } }
    return touched.every((record) => mayChange(scope, record)) ? [userId] : []
  })
  const able = new Set([writers.owner_id, ...delegates])
  able.delete(request.author_id ?? '')
  if (able.size > 0) return [...able]
  const administrators = await findAdministrators(db)
  return administrators.map(({ id }) => id).filter((id) => id !== request.author_id)
}
