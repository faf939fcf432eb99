import { sql, type Expression, type SqlBool } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import { toAsciiName } from '../../dns/names.ts'
import type { Principal } from '../../plugins/access/index.ts'
import { notFound } from '../../plugins/errors.ts'
import {
  grantsOf,
  recordScopeOf,
  recordsInScope,
  recordsVisibleTo,
  visibleTo,
  type Grant,
  type RecordScope,
} from '../domains/access.ts'
import { LIST_COLUMNS, toRecord, type ListRow } from './mapper.ts'
import type { Sort } from './schemas.ts'

export interface ListQuery {
  page: number
  limit: number
  type?: string
  search?: string
  sort: Sort
  order: 'asc' | 'desc'
}

const COLUMNS = sql.raw(LIST_COLUMNS.join(', '))
const SORT_COLUMNS: Record<Sort, string> = { name: 'name', type: 'type', createdAt: 'created_at' }

const and = (conditions: Expression<SqlBool>[]) => sql.join(conditions, sql` and `)

/**
 * A page of a domain's records with the exact total, in one statement: it checks the access, reads the
 * total that the writes keep, and the rows. The total of a filter is remembered together with the version
 * of the domain's records, which every write raises.
 */
export async function listRecords(db: Executor, principal: Principal, domainId: string, query: ListQuery) {
  const filters = filtersOf(query)
  const conditions = [
    sql<SqlBool>`domain_id = ${domainId}`,
    ...recordsVisibleTo(principal, domainId),
    ...filters,
  ]
  const { sort, order, page, limit } = query
  const ordering = sql.raw(`${SORT_COLUMNS[sort]} ${order}, id ${order}`)
  // The rows come as one value of JSON: that is read several times as fast as columns.
  const { rows } = await sql<{
    total: number
    version: number
    owner_id: string
    grants: Grant[]
    found: ListRow[]
  }>`
    select record_count as total, record_version as version, owner_id, ${grantsOf(principal)} as grants, (
      select coalesce(json_agg(page), '[]') from (
        select ${COLUMNS} from records where ${and(conditions)}
        order by ${ordering} limit ${limit} offset ${(page - 1) * limit}
      ) as page
    ) as found
    from domains where id = ${domainId} and ${visibleTo(principal)}
  `.execute(db)
  const [answer] = rows
  if (!answer) throw notFound('domain', domainId)
  const { found, version } = answer
  const scope = recordScopeOf(answer, principal)
  const narrowed = [...recordsInScope(scope), ...filters]
  const total =
    narrowed.length === 0
      ? answer.total
      : await filteredTotal(db, domainId, { ...query, scope }, narrowed, found, version)
  return { records: found.map(toRecord), total, page, limit }
}

function filtersOf({ type, search }: ListQuery): Expression<SqlBool>[] {
  const filters: Expression<SqlBool>[] = []
  if (type !== undefined) filters.push(sql<SqlBool>`type = ${type}`)
  if (search !== undefined && search !== '') filters.push(sql<SqlBool>`name like ${likePattern(search)}`)
  return filters
}

/** A substring match; what is a whole name in Unicode is looked for in punycode. */
export function likePattern(search: string): string {
  const ascii = toAsciiName(search)
  const text = ascii.ok ? ascii.name : search.toLowerCase()
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

const REMEMBERED = 5_000
const remembered = new WeakMap<Executor, Map<string, { total: number; version: number }>>()

async function filteredTotal(
  db: Executor,
  domainId: string,
  { page, limit, type, search, scope }: ListQuery & { scope: RecordScope },
  filters: Expression<SqlBool>[],
  found: unknown[],
  version: number,
): Promise<number> {
  // A page that is not full proves the total by itself.
  if (found.length < limit && (found.length > 0 || page === 1)) return (page - 1) * limit + found.length
  const totals = remembered.get(db) ?? new Map<string, { total: number; version: number }>()
  remembered.set(db, totals)
  const key = JSON.stringify([domainId, type, search, scope])
  const known = totals.get(key)
  if (known?.version === version) return known.total
  const { rows } = await sql<{ total: number; version: number }>`
    select (select record_version from domains where id = ${domainId}) as version, count(*)::int as total
    from records where ${and([sql<SqlBool>`domain_id = ${domainId}`, ...filters])}
  `.execute(db)
  const counted = rows[0] ?? { total: 0, version: -1 }
  if (totals.size >= REMEMBERED) totals.delete(totals.keys().next().value as string)
  totals.set(key, counted)
  return counted.total
}
