import { sql, type Expression, type SqlBool } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import type { Principal } from '../../plugins/access/index.ts'
import type { DomainStatus } from '../../schemas/domain.ts'
import { viewerOf, visibleTo } from './access.ts'
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

const COLUMNS = sql.raw(LIST_COLUMNS.join(', '))
const SORT_COLUMNS: Record<Sort, string> = {
  name: 'name',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
  recordCount: 'record_count',
}

/**
 * A page of the domains that the caller sees, with the exact total.
 *
 * Counting is what such a list costs, so it is done once: the total of the unfiltered list is kept by the
 * writes, and that of a filter is remembered together with the version of the viewer's list, which every
 * write raises. The rows come with that version, read in the same statement.
 */
export async function listDomains(db: Executor, principal: Principal, query: ListQuery) {
  const filters = filtersOf(query)
  const { rows, total, version } = await readPage(db, principal, query, filters)
  const { page, limit } = query
  const isWhole = filters.length === 0 && principal.token?.restrictions.domainIds === undefined
  return {
    domains: rows.map(toDomainListItem),
    total: isWhole ? total : await filteredTotal(db, principal, query, filters, { rows, version }),
    page,
    limit,
  }
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

const and = (conditions: Expression<SqlBool>[]) => sql.join(conditions, sql` and `)

async function readPage(
  db: Executor,
  principal: Principal,
  { sort, order, page, limit }: ListQuery,
  filters: Expression<SqlBool>[],
) {
  const ordering = sql.raw(`${SORT_COLUMNS[sort]} ${order}, id ${order}`)
  const { rows } = await sql<ListRow & { total: number | null; version: number | null }>`
    select lists.total, lists.version, found.*
    from (select) as one
    left join domain_lists as lists on lists.viewer = ${viewerOf(principal)}
    left join lateral (
      select ${COLUMNS} from domains
      where ${and([visibleTo(principal), ...filters])}
      order by ${ordering} limit ${limit} offset ${(page - 1) * limit}
    ) as found on true
    order by ${ordering}
  `.execute(db)
  // With nothing found there is one row that has the total alone.
  const found = rows[0]?.id == null ? [] : rows
  return { rows: found, total: rows[0]?.total ?? 0, version: rows[0]?.version ?? 0 }
}

interface RememberedTotal {
  total: number
  version: number
  /** From then on a status may have changed by the mere passing of time. */
  validUntil: number
}

const REMEMBERED = 5_000
const remembered = new WeakMap<Executor, Map<string, RememberedTotal>>()

async function filteredTotal(
  db: Executor,
  principal: Principal,
  query: ListQuery,
  filters: Expression<SqlBool>[],
  { rows, version }: { rows: unknown[]; version: number },
): Promise<number> {
  const { status, group, tag, search, page, limit } = query
  // A page that is not full proves the total by itself.
  if (rows.length < limit && (rows.length > 0 || page === 1)) return (page - 1) * limit + rows.length

  const totals = remembered.get(db) ?? new Map<string, RememberedTotal>()
  remembered.set(db, totals)
  const key = JSON.stringify([
    viewerOf(principal),
    status,
    group,
    tag,
    search,
    principal.token?.restrictions.domainIds,
  ])
  const known = totals.get(key)
  if (known && known.version === version && known.validUntil > Date.now()) return known.total

  const counted = await countDomains(db, principal, filters, status !== undefined)
  if (totals.size >= REMEMBERED) totals.delete(totals.keys().next().value as string)
  totals.set(key, counted)
  return counted.total
}

/** Counts, and reads the version and the next moment at which a status changes, all of one snapshot. */
async function countDomains(
  db: Executor,
  principal: Principal,
  filters: Expression<SqlBool>[],
  byStatus: boolean,
): Promise<RememberedTotal> {
  const nextChange = byStatus
    ? sql`least(
        (select min(expires_at) from domains where expires_at > now()),
        (select min(expiring_at) from domains where expiring_at > now()))`
    : sql`null::timestamptz`
  const { rows } = await sql<{ total: number; version: number | null; next_change: Date | null }>`
    select count(*)::int as total, ${nextChange} as next_change,
      (select version from domain_lists where viewer = ${viewerOf(principal)}) as version
    from domains where ${and([visibleTo(principal), ...filters])}
  `.execute(db)
  const row = rows[0]
  return {
    total: row?.total ?? 0,
    version: row?.version ?? 0,
    validUntil: row?.next_change?.getTime() ?? Infinity,
  }
}
