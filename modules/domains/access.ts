import { sql, type Expression, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import type { DomainsTable } from '../../db/tables.ts'
import { coversName, splitPatterns } from '../../dns/name-patterns.ts'
import type { Principal } from '../../plugins/access/index.ts'
import { forbidden, notFound } from '../../plugins/errors.ts'
import type { Domain } from '../../schemas/domain.ts'
import type { RecordType } from '../../schemas/record-type.ts'
import { assignedRecordCount, coveredFor, grantsOf, isAssigned, liveOf, type Grant } from './assigned.ts'

export { grantsOf, type Grant } from './assigned.ts'

export type DomainRow = Selectable<DomainsTable>

/** A domain together with what was assigned of it to the caller; nothing to its owner and administrators. */
export type GrantedDomain = DomainRow & { grants: readonly Grant[] }

/** What somebody is to a domain, from most to least. */
export type DomainAccess = Domain['access']

/**
 * What a call needs: to see the domain or change records of it, at least in part; to see or to change all
 * of its records; or to dispose of the domain itself.
 */
export type Need = 'read' | 'write' | 'readAll' | 'writeAll' | 'manage'

const isWhole = ({ pattern }: Grant) => pattern === '*'
const SUFFICIENT: Record<Need, (grant: Grant) => boolean> = {
  read: () => true,
  write: ({ permission }) => permission === 'write',
  readAll: isWhole,
  writeAll: (grant) => isWhole(grant) && grant.permission === 'write' && grant.recordTypes === null,
  manage: () => false,
}

/** The viewer of the list of all domains, in `domain_lists`. */
export const EVERYONE = '00000000-0000-0000-0000-000000000000'

/** Whose list of domains the caller reads: the own one, or as administrator that of all. */
export const viewerOf = ({ role, userId }: Principal): string => (role === 'admin' ? EVERYONE : userId)

const and = (conditions: Expression<SqlBool>[]) =>
  conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** Narrowing by the token that the caller comes with, as conditions on the table `domains`. */
function domainsOfToken({ token }: Principal): Expression<SqlBool>[] {
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
export interface Walk {
  filters?: Expression<SqlBool>[]
  /** Of the whole list, with a limit from its beginning; `recordCount` is the number of records that are seen. */
  end?: (recordCount: Expression<number>) => RawBuilder<unknown>
}

const select = (conditions: Expression<SqlBool>[]) => sql`select * from domains where ${and(conditions)}`

/** The domains that the caller sees by themselves, without those that were assigned to them: as in `domainsOf`. */
export function ownDomainsOf(principal: Principal, { filters = [] }: Walk = {}): RawBuilder<unknown> {
  const { role, userId } = principal
  const own = role === 'admin' ? [] : [sql<SqlBool>`domains.owner_id = ${userId}`]
  return sql`(${select([...own, ...domainsOfToken(principal), ...filters])}) as domains`
}

/**
 * All domains that the caller sees, as what a list selects from and calls `domains`: as `visibleTo` says it,
 * but a walk through what they own and one through what was assigned to them. As one condition with "or" no
 * index could give the order.
 */
export function domainsOf(principal: Principal, walk: Walk = {}): RawBuilder<unknown> {
  const { role, userId } = principal
  if (role === 'admin') return ownDomainsOf(principal, walk)
  const { filters = [], end = () => sql`` } = walk
  const assigned = select([
    isAssigned(userId),
    sql`domains.owner_id <> ${userId}`,
    ...domainsOfToken(principal),
    ...filters,
  ])
  return sql`(
    (select * from ${ownDomainsOf(principal, walk)} ${end(sql`domains.record_count`)})
    union all (${assigned} ${end(assignedRecordCount(userId))})
  ) as domains`
}

/** How many records of a row of `domains` the caller sees. */
export const visibleRecordCount = ({ role, userId }: Principal): Expression<number> =>
  role === 'admin'
    ? sql<number>`domains.record_count`
    : sql<number>`case when domains.owner_id = ${userId} then domains.record_count
        else ${assignedRecordCount(userId)} end`

/** Whether all of the domain is the caller's, to see, change and dispose of. */
const isMaster = ({ owner_id }: { owner_id: string }, { role, userId }: Principal): boolean =>
  role === 'admin' || owner_id === userId

/** What the caller is to a domain; `grants` as in GrantedDomain. */
export function accessTo(
  row: { owner_id: string; grants?: readonly Grant[] },
  principal: Principal,
): DomainAccess {
  if (row.owner_id === principal.userId) return 'owner'
  if (principal.role === 'admin') return 'admin'
  return row.grants?.some(SUFFICIENT.write) ? 'write' : 'read'
}

/** Whether what the caller is to the domain is enough for that. */
export const isSufficient = (
  domain: { owner_id: string; grants?: readonly Grant[] },
  principal: Principal,
  need: Need,
): boolean => isMaster(domain, principal) || (domain.grants ?? []).some(SUFFICIENT[need])

/** Which records of a domain somebody sees and may change. */
export interface RecordScope {
  /** Patterns of the names that are seen; null: all. */
  seen: readonly string[] | null
  /** What may be changed; null: all. */
  changeable: readonly Grant[] | null
  /** Both are narrowed by the token that the caller comes with; null narrows nothing. */
  token: { namePatterns: readonly string[] | null; recordTypes: readonly RecordType[] | null }
}

export function recordScopeOf(
  domain: { owner_id: string; grants: readonly Grant[] },
  principal: Principal,
): RecordScope {
  const { namePatterns = null, recordTypes = null } = principal.token?.restrictions ?? {}
  const token = { namePatterns, recordTypes }
  if (isMaster(domain, principal)) return { seen: null, changeable: null, token }
  const { grants } = domain
  return {
    seen: grants.some(isWhole) ? null : grants.map(({ pattern }) => pattern),
    changeable: grants.filter(SUFFICIENT.write),
    token,
  }
}

interface Placed {
  name: string
  type: RecordType
}

export const seesName = ({ seen, token }: RecordScope, name: string): boolean =>
  [seen, token.namePatterns].every((patterns) => patterns === null || coversName(patterns, name))

/** Whether no name of the domain is hidden from them. */
export const seesAllNames = ({ seen, token }: RecordScope): boolean =>
  [seen, token.namePatterns].every((patterns) => patterns === null || patterns.includes('*'))

export const seesRecord = (scope: RecordScope, { name, type }: Placed): boolean =>
  seesName(scope, name) && (scope.token.recordTypes === null || scope.token.recordTypes.includes(type))

/** Whether such a record may be there by their doing, and be changed by them. */
export const mayChange = (scope: RecordScope, record: Placed): boolean =>
  seesRecord(scope, record) &&
  (scope.changeable === null ||
    scope.changeable.some(
      ({ pattern, recordTypes }) =>
        coversName([pattern], record.name) && (recordTypes === null || recordTypes.includes(record.type)),
    ))

/** Names that the (parsed) patterns cover, as conditions on an expression; none when they cover all. */
function covered(name: RawBuilder<unknown>, patterns: readonly string[] | null): Expression<SqlBool>[] {
  const split = patterns && splitPatterns(patterns)
  if (!split) return []
  return [
    sql<SqlBool>`(${name} = any(${split.exact}::text[]) or exists (
      select from unnest(${split.below}::text[]) as below where right(${name}, length(below)) = below))`,
  ]
}

/** The names of a scope, as conditions on an expression that is one; none when all are seen. */
export const namesInScope = (
  { seen, token }: RecordScope,
  name: RawBuilder<unknown>,
): Expression<SqlBool>[] => [seen, token.namePatterns].flatMap((patterns) => covered(name, patterns))

/** What is seen of a domain, as conditions on the table `records`; none when all is. */
export const recordsInScope = (scope: RecordScope): Expression<SqlBool>[] => [
  ...namesInScope(scope, sql`records.name`),
  ...typesOfToken(scope.token.recordTypes),
]

const typesOfToken = (types: readonly RecordType[] | null): Expression<SqlBool>[] =>
  types === null ? [] : [sql<SqlBool>`records.type = any(${[...types]}::text[])`]

/**
 * The records that the caller sees, of the domain or over all: conditions on `records` together with its
 * row of `domains`.
 */
export function recordsVisibleTo(principal: Principal, domainId?: string): Expression<SqlBool>[] {
  const { namePatterns = null, recordTypes = null } = principal.token?.restrictions ?? {}
  const { role, userId } = principal
  const assigned =
    domainId === undefined
      ? sql`(${isAssigned(userId)} and ${coveredFor(userId, sql`records.domain_id`)})`
      : coveredFor(userId, sql`${domainId}::uuid`)
  return [
    ...(role === 'admin' ? [] : [sql<SqlBool>`(domains.owner_id = ${userId} or ${assigned})`]),
    ...domainsOfToken(principal),
    ...covered(sql`records.name`, namePatterns),
    ...typesOfToken(recordTypes),
  ]
}

/**
 * The domain, when the caller may do that with it. 404 when they may not see it, 403 when they see it
 * and may not. With `lock` the row is held to the end of the transaction, and the assignments are read
 * under it: who waited for the lock has the rights of after the wait.
 */
export async function requireDomain(
  db: Executor,
  principal: Principal,
  id: string,
  need: Need,
  options: { lock?: boolean } = {},
): Promise<GrantedDomain> {
  let query = db.selectFrom('domains').selectAll().where('id', '=', id).where(visibleTo(principal))
  if (options.lock) query = query.forNoKeyUpdate()
  const row = await query.executeTakeFirst()
  const domain = row && { ...row, grants: await readGrants(db, principal, row) }
  if (!domain || !isSufficient(domain, principal, 'read')) throw notFound('domain', id)
  if (!isSufficient(domain, principal, need)) {
    throw forbidden(`Your access to ${domain.name} does not allow this`)
  }
  return domain
}

async function readGrants(db: Executor, principal: Principal, row: DomainRow): Promise<readonly Grant[]> {
  if (isMaster(row, principal)) return []
  const found = await db
    .selectFrom('domains')
    .select(grantsOf(principal).as('grants'))
    .where('id', '=', row.id)
    .executeTakeFirst()
  return found?.grants ?? []
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
