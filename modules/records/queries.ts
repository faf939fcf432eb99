import { sql } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import { recordsInScope, type RecordScope } from '../domains/access.ts'

export const findDomainForRecovery = (db: Executor, id: string) =>
  db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst()

export const findRecord = (db: Executor, domainId: string, id: string) =>
  db
    .selectFrom('records')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where('id', '=', id)
    .executeTakeFirst()

/** All records of a domain in the order of their ids, `after` the one given, at most `limit`. */
export const recordsAfter = (db: Executor, domainId: string, after: string | null, limit: number) =>
  db
    .selectFrom('records')
    .selectAll()
    .where('domain_id', '=', domainId)
    .$if(after !== null, (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(limit)
    .execute()

/** All records of a domain that are seen. */
export const allRecords = (db: Executor, domainId: string, scope: RecordScope) =>
  db
    .selectFrom('records')
    .selectAll()
    .where('domain_id', '=', domainId)
    .where((eb) => eb.and(recordsInScope(scope)))
    .where('deleting', '=', false)
    .orderBy('name')
    .orderBy('type')
    .orderBy('id')
    .execute()

/** Names of which a change was under way at that moment or later: what a listing of then can't speak for. */
export async function namesTouchedSince(db: Executor, domainId: string, since: Date): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from name_locks where domain_id = ${domainId}
    union
    select unnest(array[before ->> 'name', after ->> 'name']) as name from change_items
    where change_id in (select id from changes where domain_id = ${domainId} and settled_at >= ${since})
  `.execute(db)
  return new Set(rows.map((row) => row.name))
}

export const databaseTime = async (db: Executor): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db)
  return (rows[0] as { now: Date }).now
}
