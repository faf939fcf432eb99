import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { namesCoveredBy } from './covered-names-queries.ts'
import type { Grant } from './record-scope.ts'

/** Past its end an assignment is as good as none. */
const LIVE = sql<SqlBool>`(assignments.expires_at is null or assignments.expires_at > now())`

/** From the assignments of a user that count now. */
export const liveOf = (userId: string) =>
  sql`from assignments where assignments.user_id = ${userId} and ${LIVE}`

/** For many rows of `domains`: what was assigned to the user is read once. */
export const isAssigned = (userId: string) =>
  sql<SqlBool>`domains.id = any(array(select assignments.domain_id ${liveOf(userId)}))`

/** Whether anything was ever assigned to the caller: quickly found, and mostly not so. */
export const hasAssignments = ({ role, userId }: Principal): Expression<SqlBool> =>
  role === 'admin'
    ? sql<SqlBool>`false`
    : sql<SqlBool>`exists (select from assignments where user_id = ${userId})`

/** When the next of the caller's assignments ends; null when none does. */
export const nextAssignmentEnd = ({ role, userId }: Principal): Expression<Date | null> =>
  role === 'admin'
    ? sql`null::timestamptz`
    : sql`(select min(assignments.expires_at) ${liveOf(userId)} and assignments.expires_at > now())`

/** What was assigned of a row of `domains` to the caller, as JSON; for owners it does not matter. */
export const grantsOf = ({ role, userId }: Principal): RawBuilder<Grant[]> =>
  role === 'admin'
    ? sql`'[]'::json`
    : sql`(select coalesce(json_agg(json_build_object('pattern', pattern, 'permission', permission,
        'recordTypes', record_types)), '[]') ${liveOf(userId)} and assignments.domain_id = domains.id)`

/** That what a user was assigned of a domain covers the name of a row of `records`: the same as `coversName`. */
export const coveredFor = (userId: string, domainId: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  namesCoveredBy(sql`records.name`, sql`${liveOf(userId)} and assignments.domain_id = ${domainId}`)

/** What is counted of records, and in which column of `domains` that of all of them is. */
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

/** Another number when one of the records is another, or another is among them. */
export const VERSION = sql<number>`(coalesce(sum(('x' || substr(md5(
  concat_ws(' ', records.id, records.version, records.status, extract(epoch from records.updated_at))
), 1, 8))::bit(31)::int::bigint), 0) % 2147483647)::int`

export const RECORD_VERSION: Counted = { table: 'records', whole: 'record_version', aggregate: VERSION }

/** That of the records of a row of `domains` that an assignee sees: of all that there are, or of a part those covered. */
export const assignedRecordCount = (
  userId: string,
  { table, whole, aggregate }: Counted = RECORD_COUNT,
): Expression<number> => sql<number>`
  case when exists (select ${liveOf(userId)} and assignments.domain_id = domains.id and pattern = '*')
    then ${sql.ref(`domains.${whole}`)}
    else (select ${aggregate} from ${sql.table(table)} as records
      where records.domain_id = domains.id and ${coveredFor(userId, sql`domains.id`)}) end`

/** Who has an assignment of one of the domains that counts now. */
export async function assigneesOf(db: Executor, domainIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('assignments')
    .select('user_id')
    .distinct()
    .where('domain_id', '=', (eb) => eb.fn.any(eb.val(domainIds)))
    .where(LIVE)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}
