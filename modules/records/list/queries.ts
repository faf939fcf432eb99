import { sql } from 'kysely'
import { DOMAINS, RECORDS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf } from '../../../db/expressions.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import { recordsInScope, type RecordScope } from '../../domains/access/access.ts'

export const findDomainForRecovery = (db: Executor, id: string) =>
  db.selectFrom('domains').select(DOMAINS).where('id', '=', id).executeTakeFirst()

export const findRecord = (db: Executor, domainId: string, id: string) =>
  db
    .selectFrom('records')
    .select(RECORDS)
    .where('domain_id', '=', domainId)
    .where('id', '=', id)
    .executeTakeFirst()

export const recordsOfIds = (db: Executor, domainId: string, ids: readonly string[]) =>
  db
    .selectFrom('records')
    .select(RECORDS)
    .where('domain_id', '=', domainId)
    .where('id', '=', anyOf(ids))
    .execute()

/** Records of a domain in the order of their ids, after the given id, at most `limit`. */
export const recordsAfter = (db: Executor, domainId: string, after: string | null, limit: number) =>
  db
    .selectFrom('records')
    .select(RECORDS)
    .where('domain_id', '=', domainId)
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute()

export const recordsOfNames = (db: Executor, domainId: string, names: readonly string[]) =>
  db
    .selectFrom('records')
    .select(RECORDS)
    .where('domain_id', '=', domainId)
    .where('name', '=', anyOf(names))
    .execute()

/** All visible records of a domain. */
export const allRecords = (db: Executor, domainId: string, scope: RecordScope) =>
  db
    .selectFrom('records')
    .select(RECORDS)
    .where('domain_id', '=', domainId)
    .where((eb) => eb.and(recordsInScope(scope)))
    .where('deleting', '=', false)
    .orderBy('name')
    .orderBy('type')
    .orderBy('id')
    .execute()

/** Those of the names with active records, and whether one of these is a CNAME. */
export const findNames = (db: Executor, domainId: string, names: readonly string[]) =>
  db
    .selectFrom('records')
    .select(['name', sql<boolean>`bool_or(type = 'CNAME')`.as('cname')])
    .where('domain_id', '=', domainId)
    .where('deleting', '=', false)
    .where('enabled', '=', true)
    .where('name', '=', anyOf(names))
    .groupBy('name')
    .execute()

/**
 * Returns active records that may affect written ones: at the names and those above (`names`), below others
 * (`below`), and those pointing to `targets`, which are full names. At most 1,000 of each.
 */
export async function findNeighbours(
  db: Executor,
  domainId: string,
  { names, below, targets }: { names: string[]; below: string[]; targets: string[] },
) {
  const patterns = below.map((name) => (name === '@' ? '%' : `%.${name.replace(/[\\%_]/g, '\\$&')}`))
  const of = sql`select id, name, type, value from records where domain_id = ${domainId} and not deleting and enabled`
  const { rows } = await sql<{ id: string; name: string; type: RecordType; value: string }>`
    (${of} and name = any(${names}::text[]) limit 1000)
    ${below.length > 0 ? sql`union (${of} and name like any(${patterns}::text[]) limit 1000)` : sql``}
    ${
      targets.length > 0
        ? sql`union (${of} and type in ('MX', 'NS', 'SRV') and
            regexp_replace(value, '^.* ', '') = any(${targets}::text[]) limit 1000)`
        : sql``
    }
  `.execute(db)
  return rows
}

/** Active NS and DNAME records at these names, which may redirect everything below them. */
export const findRedirections = (db: Executor, domainId: string, names: readonly string[]) =>
  db
    .selectFrom('records')
    .select(['name', 'type', 'value'])
    .where('domain_id', '=', domainId)
    .where('type', 'in', ['NS', 'DNAME'])
    .where('name', '=', anyOf(names))
    .where('deleting', '=', false)
    .where('enabled', '=', true)
    .execute()

/** Position in the order in which changes were begun and settled. */
export type ChangePosition = string

/** The order in which changes were settled. */
export const SETTLED_ORDER = sql`coalesce(changes.settled_seq, changes.seq)`

/**
 * Names with a change that was pending at that position or settled after it; a listing of that time is stale
 * for them.
 */
export async function namesTouchedSince(
  db: Executor,
  domainId: string,
  since: ChangePosition,
): Promise<Set<string>> {
  const later = db
    .selectFrom('changes')
    .select('id')
    .where('domain_id', '=', domainId)
    .where(sql<boolean>`${SETTLED_ORDER} > ${since}::bigint`)
    .where('settled_at', 'is not', null)
  const rows = await db
    .selectFrom('name_locks')
    .select('name')
    .where('domain_id', '=', domainId)
    .union(
      db
        .selectFrom('change_items')
        .select(sql<string>`unnest(array[before ->> 'name', after ->> 'name'])`.as('name'))
        .where('change_id', 'in', later),
    )
    .execute()
  return new Set(rows.map((row) => row.name))
}

/** The current position. */
export async function currentPosition(db: Executor): Promise<ChangePosition> {
  const { rows } = await sql<{ place: ChangePosition }>`
    select case when is_called then last_value else 0 end::text as place from change_order
  `.execute(db)
  return (rows[0] as { place: ChangePosition }).place
}
