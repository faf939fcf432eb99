import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { recordsInScope, type RecordScope } from '../../domains/access/access.ts'
import type { UnmanagedRecord } from '../../providers/contract.ts'

/** Makes what is stored of a domain what was seen at its provider; what is the same is not written again. */
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

/** What is seen of them: with the conditions that hold for records, which have the same columns. */
const conditionsOf = (domainId: string, scope: RecordScope) =>
  sql.join([sql`records.domain_id = ${domainId}`, ...recordsInScope(scope)], sql` and `)

/** A page of them, or all, by name. */
export async function listUnmanaged(
  db: Executor,
  domainId: string,
  scope: RecordScope,
  { limit, offset }: { limit: number | null; offset: number } = { limit: null, offset: 0 },
): Promise<UnmanagedRecord[]> {
  const { rows } = await sql<UnmanagedRecord>`
    select name, type, ttl, value from unmanaged_records as records where ${conditionsOf(domainId, scope)}
    order by name, type, value, ttl limit ${limit} offset ${offset}
  `.execute(db)
  return rows
}

export async function countUnmanaged(db: Executor, domainId: string, scope: RecordScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from unmanaged_records as records where ${conditionsOf(domainId, scope)}
  `.execute(db)
  return rows[0]?.count ?? 0
}
