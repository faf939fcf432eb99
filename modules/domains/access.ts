import { sql, type Expression, type Selectable, type SqlBool } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import type { DomainsTable } from '../../db/tables.ts'
import { coversName, splitPatterns } from '../../dns/name-patterns.ts'
import type { Principal } from '../../plugins/access/index.ts'
import { forbidden, notFound } from '../../plugins/errors.ts'
import type { Domain } from '../../schemas/domain.ts'
import type { RecordType } from '../../schemas/record-type.ts'

export type DomainRow = Selectable<DomainsTable>

/** What somebody is to a domain, from most to least. */
export type DomainAccess = Domain['access']

/** What a call needs: to see the domain, to change records, or to dispose of the domain itself. */
export type Need = 'read' | 'write' | 'manage'

const SUFFICIENT: Record<Need, readonly DomainAccess[]> = {
  read: ['owner', 'admin', 'write', 'read'],
  write: ['owner', 'admin', 'write'],
  manage: ['owner', 'admin'],
}

/** The viewer of the list of all domains, in `domain_lists`. */
export const EVERYONE = '00000000-0000-0000-0000-000000000000'

/** Whose list of domains the caller reads: the own one, or as administrator that of all. */
export const viewerOf = ({ role, userId }: Principal): string => (role === 'admin' ? EVERYONE : userId)

/**
 * The one rule of who sees a domain, as a condition on the table `domains`: every list, total, search
 * and single read goes through it.
 */
export function visibleTo({ role, userId, token }: Principal): Expression<SqlBool> {
  const owned = role === 'admin' ? sql<SqlBool>`true` : sql<SqlBool>`domains.owner_id = ${userId}`
  const { domainIds } = token?.restrictions ?? {}
  return domainIds === undefined ? owned : sql<SqlBool>`(${owned} and domains.id = any(${domainIds}::uuid[]))`
}

/** Which records of a domain somebody sees and may change; null means all. */
export interface RecordScope {
  /** See dns/name-patterns. */
  namePatterns: readonly string[] | null
  recordTypes: readonly RecordType[] | null
}

export const recordScopeOf = ({ token }: Principal): RecordScope => ({
  namePatterns: token?.restrictions.namePatterns ?? null,
  recordTypes: token?.restrictions.recordTypes ?? null,
})

/** Whether a record of that name and type is in the scope. */
export const inScope = (
  { namePatterns, recordTypes }: RecordScope,
  record: { name: string; type: RecordType },
) =>
  (namePatterns === null || coversName(namePatterns, record.name)) &&
  (recordTypes === null || recordTypes.includes(record.type))

/** The scope as conditions on the table `records`; none when all is in it. */
export function recordsInScope({ namePatterns, recordTypes }: RecordScope): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = []
  const names = namePatterns && splitPatterns(namePatterns)
  if (names) {
    conditions.push(sql<SqlBool>`(records.name = any(${names.exact}::text[]) or exists (
      select from unnest(${names.below}::text[]) as below
      where right(records.name, length(below)) = below))`)
  }
  if (recordTypes) conditions.push(sql<SqlBool>`records.type = any(${[...recordTypes]}::text[])`)
  return conditions
}

export const accessTo = (row: { owner_id: string }, { userId }: Principal): DomainAccess =>
  row.owner_id === userId ? 'owner' : 'admin'

/**
 * The domain, when the caller may do that with it. 404 when they may not see it, 403 when they see it
 * and may not. With `lock` the row is held to the end of the transaction.
 */
export async function requireDomain(
  db: Executor,
  principal: Principal,
  id: string,
  need: Need,
  options: { lock?: boolean } = {},
): Promise<DomainRow> {
  let query = db.selectFrom('domains').selectAll().where('id', '=', id).where(visibleTo(principal))
  if (options.lock) query = query.forNoKeyUpdate()
  const row = await query.executeTakeFirst()
  if (!row) throw notFound('domain', id)
  if (!SUFFICIENT[need].includes(accessTo(row, principal))) {
    throw forbidden(`Your access to ${row.name} does not allow this`)
  }
  return row
}

/**
 * Who sees the domain, as a table for a statement: its owner, and those who have it or a part of it
 * assigned; `patterns` of the names that they see, null: all. Administrators see every domain.
 */
export const viewersOf = (domainId: string) => sql<{ user_id: string; patterns: string[] | null }>`(
    select owner_id as user_id, null::text[] as patterns from domains where id = ${domainId}
    union all
    select user_id, array_agg(pattern order by pattern) from assignments
    where domain_id = ${domainId} and (expires_at is null or expires_at > now())
      and user_id <> (select owner_id from domains where id = ${domainId})
    group by user_id
  )`
