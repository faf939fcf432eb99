import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf } from '../../../db/expressions.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { namesCoveredBy } from './covered-names-queries.ts'
import type { Grant } from './record-scope.ts'

/** Excludes expired permissions. */
const LIVE = sql<SqlBool>`(assignments.expires_at is null or assignments.expires_at > now())`

/** A user's current permissions, as a from clause. */
export const liveOf = (userId: string) =>
  sql`from assignments where assignments.user_id = ${userId} and ${LIVE}`

/** Whether the user has a permission on a row of `domains`; the permissions are read once for all rows. */
export const isAssigned = (userId: string) =>
  sql<SqlBool>`domains.id = any(array(select assignments.domain_id ${liveOf(userId)}))`

/** Whether the caller has any permission, current or expired. */
export const hasAssignments = ({ role, userId }: Principal): Expression<SqlBool> =>
  role === 'admin'
    ? sql<SqlBool>`false`
    : sql<SqlBool>`exists (select from assignments where user_id = ${userId})`

/** When the next of the caller's permissions expires; null: none does. */
export const nextAssignmentEnd = ({ role, userId }: Principal): Expression<Date | null> =>
  role === 'admin'
    ? sql`null::timestamptz`
    : sql`(select min(assignments.expires_at) ${liveOf(userId)} and assignments.expires_at > now())`

/** The caller's permissions on a row of `domains`, as JSON. */
export const grantsOf = ({ role, userId }: Principal): RawBuilder<Grant[]> =>
  role === 'admin'
    ? sql`'[]'::json`
    : sql`(select coalesce(json_agg(json_build_object('pattern', pattern, 'permission', permission,
        'recordTypes', record_types)), '[]') ${liveOf(userId)} and assignments.domain_id = domains.id)`

/** Whether a user's permissions cover the name of a row of `records`, as `coversName` does. */
export const coveredFor = (userId: string, domainId: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  namesCoveredBy(sql`records.name`, sql`${liveOf(userId)} and assignments.domain_id = ${domainId}`)

/** An aggregate over records, and the column of `domains` that stores it for all records. */
export interface Counted {
  table: 'records' | 'unmanaged_records'
  whole: 'record_count' | 'unmanaged_count' | 'record_version'
  /** Over the rows of `records`. */
  aggregate: RawBuilder<number>
}

const COUNT = sql<number>`count(*)::int`

export const RECORD_COUNT: Counted = { table: 'records', whole: 'record_count', aggregate: COUNT }
export const UNMANAGED_COUNT: Counted = {
  table: 'unmanaged_records',
  whole: 'unmanaged_count',
  aggregate: COUNT,
}

/** A number that changes when a record changes, appears or disappears. */
export const VERSION = sql<number>`(coalesce(sum(('x' || substr(md5(
  concat_ws(' ', records.id, records.version, records.status, extract(epoch from records.updated_at))
), 1, 8))::bit(31)::int::bigint), 0) % 2147483647)::int`

export const RECORD_VERSION: Counted = { table: 'records', whole: 'record_version', aggregate: VERSION }

/** The aggregate over records of a row of `domains` that a delegate sees. */
export const assignedRecordCount = (
  userId: string,
  { table, whole, aggregate }: Counted = RECORD_COUNT,
): Expression<number> => sql<number>`
  case when exists (select ${liveOf(userId)} and assignments.domain_id = domains.id and pattern = '*')
    then ${sql.ref(`domains.${whole}`)}
    else (select ${aggregate} from ${sql.table(table)} as records
      where records.domain_id = domains.id and ${coveredFor(userId, sql`domains.id`)}) end`

/** Users with a current permission on one of the domains. */
export async function assigneesOf(db: Executor, domainIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('assignments')
    .select('user_id')
    .distinct()
    .where('domain_id', '=', anyOf(domainIds))
    .where(LIVE)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}
