import { sql, type AliasedRawBuilder, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import type { DomainStatus } from '../../schemas/domain.ts'
import {
  domainsOf,
  ownDomainsOf,
  viewerOf,
  visibleRecordCount,
  visibleRecordVersion,
  visibleUnmanagedCount,
  type DomainRow,
} from './access/access-queries.ts'
import { grantsOf, hasAssignments, nextAssignmentEnd } from './access/assigned-queries.ts'
import { LIST_COLUMNS, type ListRow, type Names } from './mapper.ts'
import type { Position } from '../../plugins/page-cursor.ts'
import type { Sort } from './schemas.ts'

export interface ListQuery {
  page: number
  limit: number
  cursor?: string
  status?: DomainStatus
  group?: string
  tag?: string
  search?: string
  ownerId?: string
  providerConfigId?: string
  syncFailed?: boolean
  /** ISO 8601. */
  expiresBefore?: string
  expiresAfter?: string
  sort: Sort
  order: 'asc' | 'desc'
}

/** Columns that are the same for all viewers. */
const COLUMNS = sql.raw(
  LIST_COLUMNS.filter((column) => !column.endsWith('_count') && column !== 'record_version').join(', '),
)
const SORT_COLUMNS: Record<Exclude<Sort, 'recordCount'>, string> = {
  name: 'domains.name',
  expiresAt: 'domains.expires_at',
  createdAt: 'domains.created_at',
}

export interface Asked {
  principal: Principal
  query: ListQuery
  /** Conditions on `domains`. */
  filters: Expression<SqlBool>[]
  /** The row after which the page begins, instead of `page`. */
  after: Position | null
}

/**
 * The part to look up in the index, which is slow for a frequent three letters, such as those of a top-level domain.
 */
function selectivePart(text: string): string {
  const beginning = text.slice(0, Math.max(0, text.lastIndexOf('.')))
  return beginning.length < MIN_INDEXED ? text : beginning
}

// A trigram index needs three letters.
const MIN_INDEXED = 3

export function filtersOf(query: ListQuery): Expression<SqlBool>[] {
  const { status, group, tag, search, ownerId, providerConfigId, syncFailed } = query
  const filters: Expression<SqlBool>[] = []
  if (ownerId !== undefined) filters.push(sql<SqlBool>`owner_id = ${ownerId}`)
  if (providerConfigId !== undefined) filters.push(sql<SqlBool>`provider_config_id = ${providerConfigId}`)
  if (syncFailed === true) filters.push(sql<SqlBool>`last_sync_error is not null`)
  if (syncFailed === false) filters.push(sql<SqlBool>`last_sync_error is null`)
  if (query.expiresBefore !== undefined) filters.push(sql<SqlBool>`expires_at < ${query.expiresBefore}`)
  if (query.expiresAfter !== undefined) filters.push(sql<SqlBool>`expires_at >= ${query.expiresAfter}`)
  if (group !== undefined) filters.push(sql<SqlBool>`group_name = ${group}`)
  if (tag !== undefined) filters.push(sql<SqlBool>`tags @> array[${tag}]`)
  if (search !== undefined && search !== '') {
    const text = search.toLowerCase()
    const pattern = `%${selectivePart(text).replace(/[\\%_]/g, '\\$&')}%`
    filters.push(
      sql<SqlBool>`(name like ${pattern} or unicode_name like ${pattern})`,
      sql<SqlBool>`(strpos(name, ${text}) > 0 or strpos(unicode_name, ${text}) > 0)`,
    )
  }
  if (status === 'expired') filters.push(sql<SqlBool>`expires_at <= now()`)
  if (status === 'expiring') filters.push(sql<SqlBool>`expiring_at <= now() and expires_at > now()`)
  if (status === 'active') filters.push(sql<SqlBool>`(expiring_at is null or expiring_at > now())`)
  return filters
}

/** The rows before the page. */
export const offsetOf = ({ page, limit, cursor }: ListQuery): number =>
  cursor === undefined ? (page - 1) * limit : 0

/** From this offset on, finding a page's ids in an index first is cheaper. */
const DEEP = 1_000
const isDeep = (query: ListQuery): boolean => offsetOf(query) >= DEEP

/** What a list selects from. */
type Domains = AliasedRawBuilder<DomainRow, 'domains'>

/** `offset 0` keeps the page's order and limit out of the inner plan. */
const sorted = (source: Domains): Domains => sql<DomainRow>`(select * from ${source} offset 0)`.as('domains')

/** Whether the list is unfiltered. */
export const isWhole = ({ principal, filters }: Pick<Asked, 'principal' | 'filters'>): boolean =>
  filters.length === 0 && principal.token?.restrictions.domainIds === undefined

/** Whether one index has exactly these domains in order, so the generic plan is the best. */
const isIndexed = ({ principal, query: { group, sort }, filters }: Asked): boolean =>
  group === undefined
    ? isWhole({ principal, filters })
    : sort === 'name' && isWhole({ principal, filters: filters.slice(1) })

/**
 * A page of the viewer's own domains; `more`: they also have permissions on others. With `sorts` all matches are
 * sorted, otherwise the list is walked in order.
 */
export function readOwn(db: Executor, asked: Asked, sorts: boolean) {
  const { principal, query, filters } = asked
  const own = ownDomainsOf(principal, { filters: [...filters, ...follows(asked)] })
  const source = sorts && !isIndexed(asked) ? sorted(own) : own
  const recordCount = visibleRecordCount(principal, { owned: true })
  const order = sql`order by ${orderOf(query, recordCount)}`
  const columns = sql`${COLUMNS}, ${recordCount} as record_count,
    ${visibleUnmanagedCount(principal, { owned: true })} as unmanaged_count,
    ${visibleRecordVersion(principal, { owned: true })} as record_version`
  const page = isDeep(query)
    ? sql`select ${columns} from domains
        join (select id from ${source} ${order} ${cutOf(query)}) as page using (id) ${order}`
    : sql`select ${columns} from ${source} ${order} ${isIndexed(asked) ? plannedCutOf(query) : cutOf(query)}`
  return readPage(db, principal, page, hasAssignments(principal))
}

/**
 * A page of all visible domains; `sorts` as in `readOwn`. Records are counted only for the page, unless they are the
 * sort order.
 */
export function readAll(db: Executor, asked: Asked, sorts: boolean) {
  const { principal, query } = asked
  const filters = [...asked.filters, ...follows(asked)]
  const recordCount = visibleRecordCount(principal)
  const end = (count: Expression<number>) =>
    sql`order by ${orderOf(query, count)} limit ${offsetOf(query) + query.limit}`
  const source =
    sorts || isDeep(query)
      ? sorted(domainsOf(principal, { filters }))
      : domainsOf(principal, { filters, end })
  const page = sql`select ${COLUMNS}, ${recordCount} as record_count,
    ${visibleUnmanagedCount(principal)} as unmanaged_count, ${visibleRecordVersion(principal)} as record_version,
    ${grantsOf(principal)} as grants from (
    select * from ${source} order by ${orderOf(query, recordCount)} ${cutOf(query)}
  ) as domains`
  return readPage(db, principal, page, sql`false`)
}

const orderOf = ({ sort, order }: ListQuery, recordCount: Expression<number>) => {
  const direction = sql.raw(order)
  const column = sort === 'recordCount' ? recordCount : sql.ref(SORT_COLUMNS[sort])
  return sql`${column} ${direction}, domains.id ${direction}`
}

/** Rows after a position in list order; ascending, rows without a date come last. */
function follows({ principal, query: { sort, order }, after }: Asked): Expression<SqlBool>[] {
  if (!after) return []
  const { value, id } = after
  const than = sql.raw(order === 'asc' ? '>' : '<')
  const next = sql<SqlBool>`domains.id ${than} ${id}::uuid`
  if (sort === 'name') return [sql<SqlBool>`(domains.name, domains.id) ${than} (${value}::text, ${id}::uuid)`]
  if (sort === 'recordCount') {
    return [sql<SqlBool>`(${visibleRecordCount(principal)}, domains.id) ${than} (${value}::int, ${id}::uuid)`]
  }
  const column = sql.ref(SORT_COLUMNS[sort])
  if (value === null) {
    const dated = order === 'desc' ? sql` or ${column} is not null` : sql``
    return [sql<SqlBool>`((${column} is null and ${next})${dated})`]
  }
  const undated = order === 'asc' && sort === 'expiresAt' ? sql` or ${column} is null` : sql``
  return [sql<SqlBool>`((${column}, domains.id) ${than} (${value}::timestamptz, ${id}::uuid)${undated})`]
}

const cutOf = (query: ListQuery) => sql`limit ${query.limit} offset ${offsetOf(query)}`

/**
 * Literal limit for first pages, so that PostgreSQL keeps a generic plan. With parameters it estimates a tenth of all
 * rows and plans each execution, which takes longer than running it.
 */
const plannedCutOf = (query: ListQuery) =>
  offsetOf(query) === 0 ? sql`limit ${sql.lit(query.limit)}` : cutOf(query)

/**
 * Reads the rows as one JSON value, several times as fast as columns with dates and arrays. Names from other tables are
 * read once each.
 */
async function readPage(
  db: Executor,
  principal: Principal,
  page: RawBuilder<unknown>,
  more: Expression<SqlBool>,
) {
  const { rows } = await sql<Names & { rows: ListRow[]; total: number; more: boolean; version: number }>`
    with page as materialized (${page})
    select coalesce(lists.total, 0) as total, ${more} as more, coalesce(lists.version, 0) as version,
      (select coalesce(json_agg(page), '[]') from page) as rows,
      (select coalesce(json_object_agg(id, username), '{}') from users
        where id = any(array(select owner_id from page))) as owners,
      (select coalesce(json_object_agg(id, json_build_object('provider', provider, 'name', name)), '{}')
        from provider_configs where id = any(array(select provider_config_id from page))) as configs
    from (select) as one left join domain_lists as lists on lists.viewer = ${viewerOf(principal)}
  `.execute(db)
  return rows[0] as (typeof rows)[0]
}

export interface Count {
  total: number
  /** Total of the viewer's own domains without a filter. */
  whole: number
  version: number
  /** When a status or a permission changes next without a write; milliseconds since the epoch. */
  validUntil: number
}

/** Number of the viewer's own domains; for administrators, of all. */
export async function ownTotal(db: Executor, principal: Principal): Promise<number> {
  const list = await db
    .selectFrom('domain_lists')
    .select('total')
    .where('viewer', '=', viewerOf(principal))
    .executeTakeFirst()
  return list?.total ?? 0
}

/** Counts matches, and reads the list version and the end of the count's validity, in one snapshot. */
export async function countDomains(db: Executor, { principal, query, filters }: Asked): Promise<Count> {
  const nextStatus =
    query.status !== undefined
      ? sql`least(
        (select min(expires_at) from domains where expires_at > now()),
        (select min(expiring_at) from domains where expiring_at > now()))`
      : sql`null::timestamptz`
  const { rows } = await sql<{ total: number; whole: number; version: number; next_change: Date | null }>`
    select matches.total, coalesce(lists.total, 0) as whole, coalesce(lists.version, 0) as version,
      least(${nextStatus}, ${nextAssignmentEnd(principal)}) as next_change
    from (select count(*)::int as total from ${domainsOf(principal, { filters })}) as matches
      left join domain_lists as lists on lists.viewer = ${viewerOf(principal)}
  `.execute(db)
  const row = rows[0]
  return {
    total: row?.total ?? 0,
    whole: row?.whole ?? 0,
    version: row?.version ?? 0,
    validUntil: row?.next_change?.getTime() ?? Infinity,
  }
}
