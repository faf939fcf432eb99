import { sql } from 'kysely'
import { DOMAINS, RECORDS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { RecordType } from '../../../schemas/record-type.ts'
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
    .where('id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .execute()

/** All records of a domain in the order of their ids, `after` the one given, at most `limit`. */
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
    .where('name', '=', (eb) => eb.fn.any(eb.val(names)))
    .execute()

/** All records of a domain that are seen. */
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

/** Those of the names that have records which stay and are served, and whether one is a CNAME. */
export const findNames = (db: Executor, domainId: string, names: readonly string[]) =>
  db
    .selectFrom('records')
    .select(['name', sql<boolean>`bool_or(type = 'CNAME')`.as('cname')])
    .where('domain_id', '=', domainId)
    .where('deleting', '=', false)
    .where('enabled', '=', true)
    .where('name', '=', (eb) => eb.fn.any(eb.val(names)))
    .groupBy('name')
    .execute()

/**
 * What may matter to records that are written, of the names themselves, those above (`names`) and all below
 * others (`below`), and what points to `targets`, full names; served ones only. At most 1,000 of each.
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

/** The NS and DNAME records at these names that are served: what may redirect all below them. */
export const findRedirections = (db: Executor, domainId: string, names: readonly string[]) =>
  db
    .selectFrom('records')
    .select(['name', 'type', 'value'])
    .where('domain_id', '=', domainId)
    .where('type', 'in', ['NS', 'DNAME'])
    .where('name', '=', (eb) => eb.fn.any(eb.val(names)))
    .where('deleting', '=', false)
    .where('enabled', '=', true)
    .execute()

/** How many changes were begun and settled so far, as a place in their order. */
export type ChangePosition = string

/** In which order changes were settled. */
export const SETTLED_ORDER = sql`coalesce(changes.settled_seq, changes.seq)`

/** Names with a change pending at that place in the order or settled after it: a listing of then is stale for them. */
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

/** The place in the order of changes as it is now. */
export async function currentPosition(db: Executor): Promise<ChangePosition> {
  const { rows } = await sql<{ place: ChangePosition }>`
    select case when is_called then last_value else 0 end::text as place from change_order
  `.execute(db)
  return (rows[0] as { place: ChangePosition }).place
}
