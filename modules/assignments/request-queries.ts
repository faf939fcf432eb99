import { sql, type Insertable, type Selectable, type SqlBool } from 'kysely'
import { ASSIGNMENT_REQUESTS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { AssignmentRequestsTable } from '../../db/tables/index.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import type { PermissionTarget } from './permission-target.ts'

export type RequestView = Selectable<AssignmentRequestsTable> &
  PermissionTarget & { username: string; decider: string | null }

export interface RequestFilter {
  status?: RequestView['status']
  page: number
  limit: number
}

/** Administrators see all requests; others their own. */
const visibleTo = ({ role, userId }: Principal) =>
  role === 'admin' ? sql<SqlBool>`true` : sql<SqlBool>`assignment_requests.user_id = ${userId}`

const matching = (db: Executor, principal: Principal, { status }: Pick<RequestFilter, 'status'>) =>
  db
    .selectFrom('assignment_requests')
    .where(visibleTo(principal))
    .$if(status !== undefined, (query) =>
      query.where('assignment_requests.status', '=', status as RequestView['status']),
    )

const views = (db: Executor, principal: Principal, filter: Pick<RequestFilter, 'status'>) =>
  matching(db, principal, filter)
    .innerJoin('domains', 'domains.id', 'assignment_requests.domain_id')
    .innerJoin('users', 'users.id', 'assignment_requests.user_id')
    .select(ASSIGNMENT_REQUESTS)
    .leftJoin('users as deciders', 'deciders.id', 'assignment_requests.decided_by')
    .select(['users.username', 'deciders.username as decider', 'domains.name as domain_name'])

export const listRequests = (
  db: Executor,
  principal: Principal,
  filter: RequestFilter,
): Promise<RequestView[]> =>
  views(db, principal, filter)
    .orderBy('assignment_requests.created_at', 'desc')
    .orderBy('assignment_requests.id', 'desc')
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
    .execute()

export async function countRequests(
  db: Executor,
  principal: Principal,
  filter: RequestFilter,
): Promise<number> {
  const { count } = await matching(db, principal, filter)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const findRequest = (
  db: Executor,
  principal: Principal,
  id: string,
): Promise<RequestView | undefined> =>
  views(db, principal, {}).where('assignment_requests.id', '=', id).executeTakeFirst()

/** Domains with that id or canonical name; at most two, enough to tell that the name is ambiguous. */
export const findAskedDomains = (db: Executor, domain: { id: string } | { name: string }) =>
  db
    .selectFrom('domains')
    .select(['id', 'name', 'owner_id'])
    .$if('id' in domain, (query) => query.where('id', '=', (domain as { id: string }).id))
    .$if('name' in domain, (query) => query.where('name', '=', (domain as { name: string }).name))
    .limit(2)
    .execute()

/** Returns nothing if the user has an open request for the same names. */
export const insertRequest = (db: Executor, row: Insertable<AssignmentRequestsTable>) =>
  db
    .insertInto('assignment_requests')
    .values(row)
    .onConflict((on) =>
      // A literal, because a parameter would not match the condition of the partial index.
      on
        .columns(['user_id', 'domain_id', 'pattern'])
        .where(sql<SqlBool>`status = 'pending'`)
        .doNothing(),
    )
    .returning(ASSIGNMENT_REQUESTS)
    .executeTakeFirst()

/** Decides an open request; returns nothing if it is no longer open. */
export const decideRequest = (
  db: Executor,
  id: string,
  decision: { status: RequestView['status']; decided_by: string; decision_reason: string | null },
) =>
  db
    .updateTable('assignment_requests')
    .set({ ...decision, decided_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning(ASSIGNMENT_REQUESTS)
    .executeTakeFirst()

export const linkAssignment = (db: Executor, id: string, assignmentId: string) =>
  db.updateTable('assignment_requests').set({ assignment_id: assignmentId }).where('id', '=', id).execute()
