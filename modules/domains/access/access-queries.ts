import {
  sql,
  type AliasedRawBuilder,
  type Expression,
  type RawBuilder,
  type Selectable,
  type SqlBool,
} from 'kysely'
import { DOMAINS } from '../../../db/tables/columns.ts'
import { anyOf } from '../../../db/expressions.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { DomainsTable } from '../../../db/tables/index.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
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

/** The viewer that stands for administrators in `domain_lists`. */
export const EVERYONE = '00000000-0000-0000-0000-000000000000'

/** Returns the viewer whose list the caller reads: the user, or EVERYONE for administrators. */
export const viewerOf = ({ role, userId }: Principal): string => (role === 'admin' ? EVERYONE : userId)

const and = (conditions: Expression<SqlBool>[]) =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** Restrictions of the caller's token, as conditions on `domains`. */
export function domainsOfToken({ token }: Principal): Expression<SqlBool>[] {
  const { domainIds } = token?.restrictions ?? {}
  return domainIds === undefined ? [] : [sql<SqlBool>`domains.id = any(${domainIds}::uuid[])`]
}

/**
 * `seesDomain` as a condition on `domains`. For long lists, `domainsOf` is the same rule in a form that keeps an
 * index's order.
 */
export function visibleTo(principal: Principal): Expression<SqlBool> {
  const { role, userId } = principal
  if (role === 'admin') return and(domainsOfToken(principal))
  const assigned = sql`exists (select ${liveOf(userId)} and assignments.domain_id = domains.id)`
  return and([sql<SqlBool>`(domains.owner_id = ${userId} or ${assigned})`, ...domainsOfToken(principal)])
}

/** Filter and order of a list: conditions on `domains`, and `order by … limit …`. */
interface Walk {
  filters?: Expression<SqlBool>[]
  /** Order and limit of the whole list; `recordCount` is the number of visible records. */
  end?: (recordCount: Expression<number>) => RawBuilder<unknown>
}

/** Whoever selects from this names the columns. */
const select = (conditions: Expression<SqlBool>[]) => sql`select * from domains where ${and(conditions)}`

/** The caller's own domains, or all for administrators, in the form of `domainsOf`. */
export function ownDomainsOf(
  principal: Principal,
  { filters = [] }: Walk = {},
): AliasedRawBuilder<DomainRow, 'domains'> {
  const { role, userId } = principal
  const own = role === 'admin' ? [] : [sql<SqlBool>`domains.owner_id = ${userId}`]
  return sql<DomainRow>`(${select([...own, ...domainsOfToken(principal), ...filters])})`.as('domains')
}

/**
 * Visible domains as a source named `domains`: the rule of `visibleTo` as a union of owned and delegated domains. With
 * one `or` condition, no index could provide the order.
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

/** Whether the token restricts records by name or type. */
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

/** Number of visible records of a row of `domains`; `owned`: the caller owns all rows. */
export const visibleRecordCount = (principal: Principal, { owned = false } = {}) =>
  visibleCount(principal, RECORD_COUNT, owned)

/** Number of visible unmanaged records. */
export const visibleUnmanagedCount = (principal: Principal, { owned = false } = {}) =>
  visibleCount(principal, UNMANAGED_COUNT, owned)

/** Version of the visible records of a row of `domains`; changes of hidden records don't affect it. */
export const visibleRecordVersion = (principal: Principal, { owned = false } = {}) =>
  visibleCount(principal, RECORD_VERSION, owned)

/** Names covered by parsed patterns, as conditions; none if they cover all names. */
function covered(name: RawBuilder<unknown>, patterns: readonly string[] | null): Expression<SqlBool>[] {
  const condition = namesCovered(name, patterns)
  return condition === null ? [] : [condition]
}

/** Visible names and types of a domain, as conditions; none if everything is visible. */
export const placesInScope = (
  { seen, token }: RecordScope,
  { name, type }: { name: RawBuilder<unknown>; type: RawBuilder<unknown> },
): Expression<SqlBool>[] => [
  ...[seen, token.namePatterns].flatMap((patterns) => covered(name, patterns)),
  ...typesOfToken(token.recordTypes, type),
]

/** Visible records of a domain, as conditions on `records`. */
export const recordsInScope = (scope: RecordScope): Expression<SqlBool>[] =>
  placesInScope(scope, { name: sql`records.name`, type: sql`records.type` })

const typesOfToken = (
  types: readonly RecordType[] | null,
  type: RawBuilder<unknown> = sql`records.type`,
): Expression<SqlBool>[] => (types === null ? [] : [sql<SqlBool>`${type} = any(${[...types]}::text[])`])

/**
 * Visible records of one domain or of all: conditions on `records` joined with `domains`.
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
 * Visible records of visible domains; `records.whole` says whether the user sees the whole domain, so permissions are
 * checked only for the others.
 */
export const recordsVisibleIn = (principal: Principal): Expression<SqlBool>[] => [
  sql<SqlBool>`(records.whole or ${coveredFor(principal.userId, sql`records.domain_id`)})`,
  ...recordsOfToken(principal),
]

/** Restrictions of the token, as conditions on `records`. */
function recordsOfToken({ token }: Principal): Expression<SqlBool>[] {
  const { namePatterns = null, recordTypes = null } = token?.restrictions ?? {}
  return [...covered(sql`records.name`, namePatterns), ...typesOfToken(recordTypes)]
}

/** Whether the user owns a row of `domains` or has permission on the whole domain. */
export const isWhole = ({ userId }: Principal): Expression<SqlBool> =>
  sql<SqlBool>`(domains.owner_id = ${userId} or exists (
    select ${liveOf(userId)} and assignments.domain_id = domains.id and pattern = '*'))`

/**
 * Owner and delegates of a domain, as a table; `patterns` of the visible names, null: all. Excludes administrators,
 * who see every domain.
 */
export const viewersOf = (domainId: string) => sql<{ user_id: string; patterns: string[] | null }>`(
    select owner_id as user_id, null::text[] as patterns from domains where id = ${domainId}
    union all
    select user_id, array_agg(pattern order by pattern) from assignments
    where domain_id = ${domainId} and (expires_at is null or expires_at > now())
      and user_id <> (select owner_id from domains where id = ${domainId})
    group by user_id
  )`

/** Returns the domain if the caller sees it; `lock` locks the row. */
export function findVisibleDomain(
  db: Executor,
  principal: Principal,
  id: string,
  { lock = false }: { lock?: boolean },
): Promise<DomainRow | undefined> {
  const query = db.selectFrom('domains').select(DOMAINS).where('id', '=', id).where(visibleTo(principal))
  return (lock ? query.forNoKeyUpdate() : query).executeTakeFirst()
}

/** The caller's permissions on the domain. */
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

/** Upper bound, since a user can be granted any number of domains of one name. Owned domains come first. */
const MAX_HOLDERS = 1_000

/** Domains with these names visible to the caller's user; `reached`: also with the caller's token. */
export const findHolders = (db: Executor, principal: Principal, names: readonly string[]) =>
  db
    .selectFrom('domains')
    .select(['id', 'name', 'owner_id', 'provider_id', grantsOf(principal).as('grants')])
    .select(sql<boolean>`${visibleTo(principal)}`.as('reached'))
    .where('name', '=', anyOf(names))
    .where(visibleTo({ ...principal, token: null }))
    .orderBy(sql`(owner_id = ${principal.userId}) desc`)
    .orderBy('id')
    .limit(MAX_HOLDERS)
    .execute()
