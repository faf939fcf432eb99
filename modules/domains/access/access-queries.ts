import {
  sql,
  type AliasedRawBuilder,
  type Expression,
  type RawBuilder,
  type Selectable,
  type SqlBool,
} from 'kysely'
import { DOMAINS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { DomainsTable } from '../../../db/tables/index.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import type { RecordType } from '../../../schemas/record-type.ts'
import {
  assignedRecordCount,
  coveredFor,
  grantsOf,
  isAssigned,
  liveOf,
  RECORD_COUNT,
  RECORD_VERSION,
  UNMANAGED_COUNT,
  type Counted,
} from './assigned-queries.ts'
import { namesCovered } from './covered-names-queries.ts'
import type { Grant, RecordScope } from './record-scope.ts'

export type DomainRow = Selectable<DomainsTable>

/** The viewer of the list of all domains, in `domain_lists`. */
export const EVERYONE = '00000000-0000-0000-0000-000000000000'

/** Whose list of domains the caller reads: the own one, or as administrator that of all. */
export const viewerOf = ({ role, userId }: Principal): string => (role === 'admin' ? EVERYONE : userId)

const and = (conditions: Expression<SqlBool>[]) =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** Narrowing by the token that the caller comes with, as conditions on the table `domains`. */
export function domainsOfToken({ token }: Principal): Expression<SqlBool>[] {
  const { domainIds } = token?.restrictions ?? {}
  return domainIds === undefined ? [] : [sql<SqlBool>`domains.id = any(${domainIds}::uuid[])`]
}

/**
 * The one rule of who sees a domain, as a condition on the table `domains`. Where there are many to go
 * through, `domainsOf` says the same in a form that keeps their order.
 */
export function visibleTo(principal: Principal): Expression<SqlBool> {
  const { role, userId } = principal
  if (role === 'admin') return and(domainsOfToken(principal))
  const assigned = sql`exists (select ${liveOf(userId)} and assignments.domain_id = domains.id)`
  return and([sql<SqlBool>`(domains.owner_id = ${userId} or ${assigned})`, ...domainsOfToken(principal)])
}

/** Where a list narrows and orders: conditions on `domains`, and `order by … limit …`. */
interface Walk {
  filters?: Expression<SqlBool>[]
  /** Of the whole list, with a limit from its beginning; `recordCount` is the number of records that are seen. */
  end?: (recordCount: Expression<number>) => RawBuilder<unknown>
}

/** What leaves a statement is named by whoever selects from this. */
const select = (conditions: Expression<SqlBool>[]) => sql`select * from domains where ${and(conditions)}`

/** The domains that the caller sees by themselves, without those that were assigned to them: as in `domainsOf`. */
export function ownDomainsOf(
  principal: Principal,
  { filters = [] }: Walk = {},
): AliasedRawBuilder<DomainRow, 'domains'> {
  const { role, userId } = principal
  const own = role === 'admin' ? [] : [sql<SqlBool>`domains.owner_id = ${userId}`]
  return sql<DomainRow>`(${select([...own, ...domainsOfToken(principal), ...filters])})`.as('domains')
}

/**
 * All domains that the caller sees, as what a list selects from and calls `domains`: as `visibleTo` says it,
 * but a walk through what they own and one through what was assigned to them. As one condition with "or" no
 * index could give the order.
 */
export function domainsOf(principal: Principal, walk: Walk = {}): AliasedRawBuilder<DomainRow, 'domains'> {
  const { role, userId } = principal
  if (role === 'admin') return ownDomainsOf(principal, walk)
  const { filters = [], end = () => sql`` } = walk
  const assigned = select([
    isAssigned(userId),
    sql`domains.owner_id <> ${userId}`,
    ...domainsOfToken(principal),
    ...filters,
  ])
  return sql<DomainRow>`(
    (select * from ${ownDomainsOf(principal, walk)} ${end(sql`domains.record_count`)})
    union all (${assigned} ${end(assignedRecordCount(userId))})
  )`.as('domains')
}

/** Whether the token shows a part of the records only. */
export const narrowsRecords = ({ token }: Principal): boolean =>
  token?.restrictions.namePatterns !== undefined || token?.restrictions.recordTypes !== undefined

const visibleCount = (principal: Principal, counted: Counted, owned: boolean): Expression<number> => {
  const { role, userId } = principal
  const whole = sql<number>`${sql.ref(`domains.${counted.whole}`)}`
  if (narrowsRecords(principal)) {
    const { namePatterns = null, recordTypes = null } = principal.token?.restrictions ?? {}
    const conditions = [
      sql<SqlBool>`records.domain_id = domains.id`,
      ...covered(sql`records.name`, namePatterns),
      ...typesOfToken(recordTypes),
    ]
    if (role !== 'admin') {
      const assigned = coveredFor(userId, sql`domains.id`)
      conditions.push(sql<SqlBool>`(domains.owner_id = ${userId} or ${assigned})`)
    }
    return sql<number>`(select ${counted.aggregate} from ${sql.table(counted.table)} as records where ${and(conditions)})`
  }
  if (role === 'admin' || owned) return whole
  return sql<number>`case when domains.owner_id = ${userId} then ${whole}
    else ${assignedRecordCount(userId, counted)} end`
}

/** How many records of a row of `domains` the caller sees; `owned`: all rows are theirs. */
export const visibleRecordCount = (principal: Principal, { owned = false } = {}) =>
  visibleCount(principal, RECORD_COUNT, owned)

/** The same of those that are not managed here. */
export const visibleUnmanagedCount = (principal: Principal, { owned = false } = {}) =>
  visibleCount(principal, UNMANAGED_COUNT, owned)

/** The version of the records that the caller sees of a row of `domains`: hidden changes leave it as it is. */
export const visibleRecordVersion = (principal: Principal, { owned = false } = {}) =>
  visibleCount(principal, RECORD_VERSION, owned)

/** Names that the (parsed) patterns cover, as conditions on an expression; none when they cover all. */
function covered(name: RawBuilder<unknown>, patterns: readonly string[] | null): Expression<SqlBool>[] {
  const condition = namesCovered(name, patterns)
  return condition === null ? [] : [condition]
}

/** What is seen of a domain, as conditions on expressions for a name and a type; none when all is. */
export const placesInScope = (
  { seen, token }: RecordScope,
  { name, type }: { name: RawBuilder<unknown>; type: RawBuilder<unknown> },
): Expression<SqlBool>[] => [
  ...[seen, token.namePatterns].flatMap((patterns) => covered(name, patterns)),
  ...typesOfToken(token.recordTypes, type),
]

/** The same as conditions on the table `records`. */
export const recordsInScope = (scope: RecordScope): Expression<SqlBool>[] =>
  placesInScope(scope, { name: sql`records.name`, type: sql`records.type` })

const typesOfToken = (
  types: readonly RecordType[] | null,
  type: RawBuilder<unknown> = sql`records.type`,
): Expression<SqlBool>[] => (types === null ? [] : [sql<SqlBool>`${type} = any(${[...types]}::text[])`])

/**
 * The records that the caller sees, of the domain or over all: conditions on `records` together with its
 * row of `domains`.
 */
export function recordsVisibleTo(principal: Principal, domainId?: string): Expression<SqlBool>[] {
  const { role, userId } = principal
  const assigned =
    domainId === undefined
      ? sql`(${isAssigned(userId)} and ${coveredFor(userId, sql`records.domain_id`)})`
      : coveredFor(userId, sql`${domainId}::uuid`)
  return [
    ...(role === 'admin' ? [] : [sql<SqlBool>`(domains.owner_id = ${userId} or ${assigned})`]),
    ...domainsOfToken(principal),
    ...recordsOfToken(principal),
  ]
}

/**
 * The same of domains that were found to be seen, where `records.whole` says whether the user sees all of the record's:
 * what was assigned is asked for the records of the others alone.
 */
export const recordsVisibleIn = (principal: Principal): Expression<SqlBool>[] => [
  sql<SqlBool>`(records.whole or ${coveredFor(principal.userId, sql`records.domain_id`)})`,
  ...recordsOfToken(principal),
]

/** Narrowing by the token within a domain, as conditions on `records`. */
function recordsOfToken({ token }: Principal): Expression<SqlBool>[] {
  const { namePatterns = null, recordTypes = null } = token?.restrictions ?? {}
  return [...covered(sql`records.name`, namePatterns), ...typesOfToken(recordTypes)]
}

/** Whether all of a row of `domains` is the user's or assigned to them. */
export const isWhole = ({ userId }: Principal): Expression<SqlBool> =>
  sql<SqlBool>`(domains.owner_id = ${userId} or exists (
    select ${liveOf(userId)} and assignments.domain_id = domains.id and pattern = '*'))`

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

/** The domain, if the caller sees it; with `lock` held to the end of the transaction. */
export function findVisibleDomain(
  db: Executor,
  principal: Principal,
  id: string,
  { lock = false }: { lock?: boolean },
): Promise<DomainRow | undefined> {
  const query = db.selectFrom('domains').select(DOMAINS).where('id', '=', id).where(visibleTo(principal))
  return (lock ? query.forNoKeyUpdate() : query).executeTakeFirst()
}

/** What is assigned of the domain to the caller. */
export async function findGrants(
  db: Executor,
  principal: Principal,
  domainId: string,
): Promise<readonly Grant[]> {
  const found = await db
    .selectFrom('domains')
    .select(grantsOf(principal).as('grants'))
    .where('id', '=', domainId)
    .executeTakeFirst()
  return found?.grants ?? []
}
