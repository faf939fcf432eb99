import { sql, type Insertable, type Selectable, type SqlBool, type Updateable } from 'kysely'
import { ASSIGNMENTS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import { daysAgo } from '../../db/expressions.ts'
import type { AssignmentsTable } from '../../db/tables/index.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import { domainsOfToken, narrowsRecords } from '../domains/access/access.ts'
import type { PermissionTarget } from './permission-target.ts'

export type AssignmentView = Selectable<AssignmentsTable> &
  PermissionTarget & { username: string; creator: string | null }

export interface Filter {
  userId?: string
  domainId?: string
  page: number
  limit: number
}

/** Retention of expired permissions and ended transfers. */
export const KEPT_DAYS = 90

/**
 * Administrators see all permissions; others their own and those on their domains. A token restricted to some
 * records shows only the user's own.
 */
function visibleTo(principal: Principal) {
  const { role, userId } = principal
  const own = sql<SqlBool>`assignments.user_id = ${userId}`
  const ofOwned = role === 'admin' ? sql<SqlBool>`true` : sql<SqlBool>`domains.owner_id = ${userId}`
  const whose = narrowsRecords(principal) ? own : sql<SqlBool>`(${own} or ${ofOwned})`
  return sql<SqlBool>`${sql.join([whose, ...domainsOfToken(principal)], sql` and `)}`
}

const visible = (db: Executor, principal: Principal) =>
  db
    .selectFrom('assignments')
    .innerJoin('domains', 'domains.id', 'assignments.domain_id')
    .where(visibleTo(principal))

const matching = (db: Executor, principal: Principal, { userId, domainId }: Filter) =>
  visible(db, principal)
    .$if(userId !== undefined, (query) => query.where('assignments.user_id', '=', userId as string))
    .$if(domainId !== undefined, (query) => query.where('assignments.domain_id', '=', domainId as string))

export const listAssignments = (
  db: Executor,
  principal: Principal,
  filter: Filter,
): Promise<AssignmentView[]> =>
  matching(db, principal, filter)
    .innerJoin('users', 'users.id', 'assignments.user_id')
    .select(ASSIGNMENTS)
    .leftJoin('users as creators', 'creators.id', 'assignments.created_by')
    .select(['users.username', 'creators.username as creator', 'domains.name as domain_name'])
    .orderBy('assignments.created_at', 'desc')
    .orderBy('assignments.id', 'desc')
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
    .execute()

export async function countAssignments(db: Executor, principal: Principal, filter: Filter): Promise<number> {
  const { count } = await matching(db, principal, filter)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const findAssignment = (
  db: Executor,
  principal: Principal,
  id: string,
): Promise<AssignmentView | undefined> =>
  visible(db, principal)
    .innerJoin('users', 'users.id', 'assignments.user_id')
    .select(ASSIGNMENTS)
    .leftJoin('users as creators', 'creators.id', 'assignments.created_by')
    .select(['users.username', 'creators.username as creator', 'domains.name as domain_name'])
    .where('assignments.id', '=', id)
    .executeTakeFirst()

/** Returns nothing if the user already has a permission for that pattern. */
export const insertAssignment = (db: Executor, row: Insertable<AssignmentsTable>) =>
  db
    .insertInto('assignments')
    .values(row)
    .onConflict((on) => on.constraint('assignments_once').doNothing())
    .returning(ASSIGNMENTS)
    .executeTakeFirst()

/** Stores a permission, replacing the user's permission for that pattern. */
export const putAssignment = (db: Executor, row: Insertable<AssignmentsTable>) =>
  db
    .insertInto('assignments')
    .values(row)
    .onConflict((on) =>
      on.constraint('assignments_once').doUpdateSet({
        permission: row.permission,
        record_types: row.record_types,
        expires_at: row.expires_at,
        created_by: row.created_by,
      }),
    )
    .returning(ASSIGNMENTS)
    .executeTakeFirstOrThrow()

export const updateAssignment = (db: Executor, id: string, set: Updateable<AssignmentsTable>) =>
  db.updateTable('assignments').set(set).where('id', '=', id).execute()

export const deleteAssignment = (db: Executor, id: string) =>
  db.deleteFrom('assignments').where('id', '=', id).execute()

/** Deletes an expired permission, which would block a new one. */
export const deleteEnded = (
  db: Executor,
  userId: string,
  { domain_id, pattern }: Omit<PermissionTarget, 'domain_name'>,
) =>
  db
    .deleteFrom('assignments')
    .where('user_id', '=', userId)
    .where('domain_id', '=', domain_id)
    .where('pattern', '=', pattern)
    .where('expires_at', '<=', sql<Date>`now()`)
    .execute()

/** A user's permissions on a domain that never expire. */
export const lastingAssignments = (db: Executor, userId: string, domainId: string) =>
  db
    .selectFrom('assignments')
    .select(['pattern', 'permission', 'record_types'])
    .where('user_id', '=', userId)
    .where('domain_id', '=', domainId)
    .where('expires_at', 'is', null)
    .execute()

/** Deletes those that ended long ago; a scheduled task. */
export const deleteLongEnded = (db: Executor) =>
  db.deleteFrom('assignments').where('expires_at', '<', daysAgo(KEPT_DAYS)).execute()
