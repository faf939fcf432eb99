import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { recordsInScope, type RecordScope } from '../../domains/access/access.ts'
import type { UnmanagedRecord } from '../../providers/contract.ts'

/**
 * Replaces the stored unmanaged records of a domain by those at its provider; unchanged ones are not written.
 */
export const storeUnmanaged = (db: Executor, domainId: string, seen: UnmanagedRecord[]) =>
  sql`
    with seen as (
      select * from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb) as seen (name text, type text, ttl int, value text)
    ), gone as (
      delete from unmanaged_records as held where domain_id = ${domainId} and not exists (select from seen
        where (seen.name, seen.type, seen.ttl, seen.value) = (held.name, held.type, held.ttl, held.value))
    ), come as (
      insert into unmanaged_records (domain_id, name, type, ttl, value)
      select ${domainId}::uuid, name, type, ttl, value from seen where not exists (
        select from unmanaged_records as held where domain_id = ${domainId} and
          (seen.name, seen.type, seen.ttl, seen.value) = (held.name, held.type, held.ttl, held.value))
    )
    update domains set unmanaged_count = ${seen.length}
    where id = ${domainId} and unmanaged_count <> ${seen.length}
  `.execute(db)

/** Visible unmanaged records, by the conditions for records, which have the same columns. */
const seenOf = (db: Executor, domainId: string, scope: RecordScope) =>
  db
    .selectFrom('unmanaged_records as records')
    .where('records.domain_id', '=', domainId)
    .where((eb) => eb.and(recordsInScope(scope)))

/** A page of them, or all, by name. */
export const listUnmanaged = (
  db: Executor,
  domainId: string,
  scope: RecordScope,
  page?: { limit: number; offset: number },
): Promise<UnmanagedRecord[]> =>
  seenOf(db, domainId, scope)
    .select(['name', 'type', 'ttl', 'value'])
    .orderBy('name')
    .orderBy('type')
    .orderBy('value')
    .orderBy('ttl')
    .$if(page !== undefined, (query) => query.limit(page?.limit ?? 0).offset(page?.offset ?? 0))
    .execute()

export async function countUnmanaged(db: Executor, domainId: string, scope: RecordScope): Promise<number> {
  const { count } = await seenOf(db, domainId, scope)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}
