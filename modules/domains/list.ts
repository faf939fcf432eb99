import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import type { Principal } from '../../plugins/access/index.ts'
import type { DomainStatus } from '../../schemas/domain.ts'
import { domainsOf, ownDomainsOf, viewerOf, visibleRecordCount } from './access.ts'
import { hasAssignments, nextAssignmentEnd } from './assigned.ts'
import { LIST_COLUMNS, toDomainListItem, type ListRow } from './mapper.ts'
import type { Sort } from './schemas.ts'

export interface ListQuery {
  page: number
  limit: number
  status?: DomainStatus
  group?: string
  tag?: string
  search?: string
  sort: Sort
  order: 'asc' | 'desc'
}

const COLUMNS = sql.raw(LIST_COLUMNS.filter((column) => column !== 'record_count').join(', '))
const SORT_COLUMNS: Record<Exclude<Sort, 'recordCount'>, string> = {
  name: 'name',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
}

/**
 * A page of the domains that the caller sees, with the exact total.
 *
 * Counting is what such a list costs, so it is done once: the total of what the viewer owns is kept by the
 * writes, and that of a filter, or with what was assigned to them, is remembered together with the version
 * of the viewer's list, which every write raises. The rows come with that version, read in the same statement.
 */
export async function listDomains(db: Executor, principal: Principal, query: ListQuery) {
  const asked: Asked = { principal, query, filters: filtersOf(query) }
  const answer = (rows: ListRow[], total: number) => ({
    domains: rows.map(toDomainListItem),
    total,
    page: query.page,
    limit: query.limit,
  })
  const whole = asked.filters.length === 0 && principal.token?.restrictions.domainIds === undefined
  const counted = whole ? null : await lastCount(db, asked)
  const own = await readOwn(db, asked, isFew(counted))
  if (whole && !own.more) return answer(own.rows, own.total)
  const last = counted ?? (await lastCount(db, asked))
  const { rows, version } = own.more ? await readAll(db, asked, isFew(last)) : own
  return answer(rows, await exactTotal(db, asked, { last, version, rows: rows.length }))
}

interface Asked {
  principal: Principal
  query: ListQuery
  /** Conditions on `domains`. */
  filters: Expression<SqlBool>[]
}

function filtersOf({ status, group, tag, search }: ListQuery): Expression<SqlBool>[] {
  const filters: Expression<SqlBool>[] = []
  if (group !== undefined) filters.push(sql<SqlBool>`group_name = ${group}`)
  if (tag !== undefined) filters.push(sql<SqlBool>`tags @> array[${tag}]`)
  if (search !== undefined && search !== '') {
    const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    filters.push(sql<SqlBool>`(name like ${pattern} or unicode_name like ${pattern})`)
  }
  if (status === 'expired') filters.push(sql<SqlBool>`expires_at <= now()`)
  if (status === 'expiring') filters.push(sql<SqlBool>`expiring_at <= now() and expires_at > now()`)
  if (status === 'active') filters.push(sql<SqlBool>`(expiring_at is null or expiring_at > now())`)
  return filters
}

/**
 * Up to that many matches are found by the filter's own index and sorted; of more, the list is walked in its
 * order, which soon finds a page of them. Neither way is good for the other kind of filter, and a prepared
 * statement does not know which it is.
 */
const FEW = 1_000

const isFew = (count: Count | null): boolean => count !== null && count.total <= FEW

/** The offset keeps the order and the limit of the page out of the plan of what is selected from. */
const sorted = (source: RawBuilder<unknown>) => sql`(select * from ${source} offset 0) as domains`

/** A page of what the viewer owns; `more`: something was assigned to them beside that. Mostly nothing was. */
function readOwn(db: Executor, { principal, query, filters }: Asked, few: boolean) {
  const source = ownDomainsOf(principal, { filters })
  const page = sql`select ${COLUMNS}, record_count from ${few ? sorted(source) : source}
    order by ${orderOf(query, sql`record_count`)} ${cutOf(query)}`
  return readPage(db, principal, page, hasAssignments(principal))
}

/** A page of all that the viewer sees. Their records are counted for those of the page, unless they give the order. */
function readAll(db: Executor, { principal, query, filters }: Asked, few: boolean) {
  const recordCount = visibleRecordCount(principal)
  const end = (count: Expression<number>) =>
    sql`order by ${orderOf(query, count)} limit ${query.page * query.limit}`
  const source = few ? sorted(domainsOf(principal, { filters })) : domainsOf(principal, { filters, end })
  const page = sql`select ${COLUMNS}, ${recordCount} as record_count from (
    select * from ${source} order by ${orderOf(query, recordCount)} ${cutOf(query)}
  ) as domains`
  return readPage(db, principal, page, sql`false`)
}

const orderOf = ({ sort, order }: ListQuery, recordCount: Expression<number>) => {
  const direction = sql.raw(order)
  const column = sort === 'recordCount' ? recordCount : sql.ref(SORT_COLUMNS[sort])
  return sql`${column} ${direction}, id ${direction}`
}

const cutOf = ({ page, limit }: ListQuery) => sql`limit ${limit} offset ${(page - 1) * limit}`

/** The rows as one value of JSON: that is read several times as fast as columns, which have dates and arrays. */
async function readPage(
  db: Executor,
  principal: Principal,
  page: RawBuilder<unknown>,
  more: Expression<SqlBool>,
) {
  const { rows } = await sql<{ rows: ListRow[]; total: number; more: boolean; version: number }>`
    select coalesce(lists.total, 0) as total, ${more} as more, coalesce(lists.version, 0) as version,
      (select coalesce(json_agg(page), '[]') from (${page}) as page) as rows
    from (select) as one left join domain_lists as lists on lists.viewer = ${viewerOf(principal)}
  `.execute(db)
  return rows[0] as (typeof rows)[0]
}

interface Count {
  total: number
  version: number
  /** From then on a status, or what is seen, may have changed by the mere passing of time. */
  validUntil: number
}

const REMEMBERED = 5_000
const remembered = new WeakMap<Executor, Map<string, Count>>()

const keyOf = ({ principal, query: { status, group, tag, search } }: Asked) =>
  JSON.stringify([viewerOf(principal), status, group, tag, search, principal.token?.restrictions.domainIds])

/** What was counted of this filter last: exact then, and now a measure of how much it matches. */
async function lastCount(db: Executor, asked: Asked): Promise<Count> {
  return remembered.get(db)?.get(keyOf(asked)) ?? countAndRemember(db, asked)
}

async function exactTotal(
  db: Executor,
  asked: Asked,
  { last, version, rows }: { last: Count; version: number; rows: number },
): Promise<number> {
  const { page, limit } = asked.query
  // A page that is not full proves the total by itself.
  if (rows < limit && (rows > 0 || page === 1)) return (page - 1) * limit + rows
  if (last.version === version && last.validUntil > Date.now()) return last.total
  return (await countAndRemember(db, asked)).total
}

async function countAndRemember(db: Executor, asked: Asked): Promise<Count> {
  const totals = remembered.get(db) ?? new Map<string, Count>()
  remembered.set(db, totals)
  const counted = await countDomains(db, asked)
  if (totals.size >= REMEMBERED) totals.delete(totals.keys().next().value as string)
  totals.set(keyOf(asked), counted)
  return counted
}

/** Counts, and reads the version and the next moment at which time alone changes it, all of one snapshot. */
async function countDomains(db: Executor, { principal, query, filters }: Asked): Promise<Count> {
  const nextStatus =
    query.status !== undefined
      ? sql`least(
        (select min(expires_at) from domains where expires_at > now()),
        (select min(expiring_at) from domains where expiring_at > now()))`
      : sql`null::timestamptz`
  const { rows } = await sql<{ total: number; version: number | null; next_change: Date | null }>`
    select count(*)::int as total, least(${nextStatus}, ${nextAssignmentEnd(principal)}) as next_change,
      (select version from domain_lists where viewer = ${viewerOf(principal)}) as version
    from ${domainsOf(principal, { filters })}
  `.execute(db)
  const row = rows[0]
  return {
    total: row?.total ?? 0,
    version: row?.version ?? 0,
    validUntil: row?.next_change?.getTime() ?? Infinity,
  }
}
