import { LRUCache } from 'lru-cache'
import type { Executor } from '../../db/connection/connect.ts'
import type { Caller, Principal } from '../../plugins/security/access/index.ts'
import { invalid } from '../../plugins/http/errors.ts'
import type { DomainStatus } from '../../schemas/domain.ts'
import type { DomainContext } from './context.ts'
import { cursorAfter, readCursor } from './cursor.ts'
import { narrowsRecords, viewerOf } from './access/access-queries.ts'
import {
  countDomains,
  filtersOf,
  isWhole,
  offsetOf,
  ownTotal,
  readAll,
  readOwn,
  type Asked,
  type Count,
  type ListQuery,
} from './list-queries.ts'
import { countGroups, countTags } from './queries.ts'
import { toDomainListItem, type ListRow, type Names } from './mapper.ts'
import { LARGE_LIST, MIN_SEARCH, REACH } from './schemas.ts'

/**
 * Returns a page of the domains that the caller sees, with the exact total. Rejects with a 400 queries that
 * would take seconds over more than `LARGE_LIST` domains: a search of one or two characters, and a distant
 * page of a filter that matches most domains.
 *
 * Counting is the expensive part of such a list, so it is done once. Writes maintain the total of owned
 * domains. The total of a filter, or of a list with delegated domains, is cached with the version of the
 * viewer's list, which every write raises. The same statement reads the rows and that version.
 */
export async function listDomains(db: Executor, principal: Principal, query: ListQuery) {
  const after = query.cursor === undefined ? null : readCursor(query.cursor, query)
  const asked: Asked = { principal, query, filters: filtersOf(query), after }
  const answer = (found: Names & { rows: ListRow[] }, total: number) => {
    const last = found.rows.length === query.limit ? found.rows.at(-1) : undefined
    return {
      domains: found.rows.map((row) => toDomainListItem(row, found, principal)),
      total,
      page: query.page,
      limit: query.limit,
      nextCursor: last ? cursorAfter(last, query) : null,
    }
  }
  await checkSearch(db, asked)
  await checkSort(db, asked)
  const whole = isWhole(asked)
  const counted = whole ? null : await lastCount(db, asked)
  if (counted) checkReach(query, counted)
  const own = await readOwn(db, asked, counted !== null && isSorted(query, counted))
  if (whole && !own.more) return answer(own, own.total)
  const last = counted ?? (await lastCount(db, asked))
  checkReach(query, last)
  const found = own.more ? await readAll(db, asked, isSorted(query, last)) : own
  const { version, rows } = found
  return answer(found, await exactTotal(db, asked, { last, version, rows: rows.length }))
}

async function checkSearch(db: Executor, { principal, query: { search = '' } }: Asked): Promise<void> {
  if (search === '' || search.length >= MIN_SEARCH) return
  if ((await ownTotal(db, principal)) <= LARGE_LIST) return
  throw invalid({
    path: '/search',
    code: 'search_too_short',
    message: `must have at least ${MIN_SEARCH} characters in a list of more than ${LARGE_LIST} domains`,
  })
}

/** Whether the sort order counts records of each domain. */
async function checkSort(db: Executor, { principal, query }: Asked): Promise<void> {
  if (query.sort !== 'recordCount' || !narrowsRecords(principal)) return
  if ((await ownTotal(db, principal)) <= LARGE_LIST) return
  throw invalid({
    path: '/sort',
    code: 'list_too_large',
    params: { maximum: LARGE_LIST },
    message: `can't be recordCount in a list of more than ${LARGE_LIST} domains with a restricted token`,
  })
}

function checkReach(query: ListQuery, { total }: Count): void {
  if (total <= LARGE_LIST || offsetOf(query) + query.limit <= REACH) return
  throw invalid({
    path: '/page',
    code: 'page_out_of_reach',
    message: `only the first ${REACH} of ${total} matches can be paged through; narrow the filter`,
  })
}

/**
 * Whether to sort all matches or to walk the list in order until the page is full, whichever reads fewer
 * rows. PostgreSQL chooses badly, because it misjudges the number of matches.
 */
function isSorted(query: ListQuery, { total, whole }: Count): boolean {
  const walked = ((offsetOf(query) + query.limit) / total) * whole
  return total <= walked
}

const REMEMBERED = 5_000
const remembered = new WeakMap<Executor, LRUCache<string, Count>>()

const keyOf = ({
  principal,
  query: { page: _page, limit: _limit, cursor: _cursor, sort: _sort, order: _order, ...filters },
}: Asked) => JSON.stringify([viewerOf(principal), filters, principal.token?.restrictions.domainIds])

/** The last count of this filter, used as an estimate. */
async function lastCount(db: Executor, asked: Asked): Promise<Count> {
  return remembered.get(db)?.get(keyOf(asked)) ?? countAndRemember(db, asked)
}

async function exactTotal(
  db: Executor,
  asked: Asked,
  { last, version, rows }: { last: Count; version: number; rows: number },
): Promise<number> {
  const offset = offsetOf(asked.query)
  // A page that is not full proves the total.
  if (!asked.after && rows < asked.query.limit && (rows > 0 || offset === 0)) return offset + rows
  // Sync results don't raise the version.
  const isKept = asked.query.syncFailed === undefined && last.version === version
  if (isKept && last.validUntil > Date.now()) return last.total
  return (await countAndRemember(db, asked)).total
}

async function countAndRemember(db: Executor, asked: Asked): Promise<Count> {
  const totals = remembered.get(db) ?? new LRUCache<string, Count>({ max: REMEMBERED })
  remembered.set(db, totals)
  const counted = await countDomains(db, asked)
  totals.set(keyOf(asked), counted)
  return counted
}

/** Counts visible domains by status. */
export async function countByStatus(db: Executor, principal: Principal) {
  const count = async (status?: DomainStatus) => {
    const first = { page: 1, limit: 1, sort: 'name', order: 'asc' } as const
    return (await listDomains(db, principal, { ...first, ...(status && { status }) })).total
  }
  const [total, expiring, expired] = await Promise.all([count(), count('expiring'), count('expired')])
  // The three counts are exact, but of slightly different moments.
  return { total, active: Math.max(0, total - expiring - expired), expiring, expired }
}

export const listTags = async ({ db }: DomainContext, caller: Caller) => ({
  tags: await countTags(db, caller),
})

export const listGroups = async ({ db }: DomainContext, caller: Caller) => ({
  groups: await countGroups(db, caller),
})
