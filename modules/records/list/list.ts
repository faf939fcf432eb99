import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { cursorAt, isMoment, positionOf, type CursorList } from '../../../plugins/page-cursor.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { notFound } from '../../../plugins/http/errors.ts'
import {
  recordScopeOf,
  requireDomain,
  seesAllRecords,
  seesRecord,
  type RecordScope,
} from '../../domains/access/access.ts'
import { recordNotFound } from '../errors.ts'
import { countUnmanaged, listUnmanaged } from '../sync/unmanaged-queries.ts'
import { toRecord, toRecordWithData, type ListRow } from './mapper.ts'
import type { Sort } from './schemas.ts'
import { countRecords, readPage, type ListPage, type ListQuery, type Position } from './list-queries.ts'
import { findRecord } from './queries.ts'

/**
 * Returns a page of a domain's records with the exact total. The total of a filter is cached with the version of the
 * domain's records, which every write raises.
 */
export async function listRecords(db: Executor, principal: Principal, domainId: string, query: ListQuery) {
  const after = query.cursor === undefined ? null : readCursor(query.cursor, domainId, query)
  const answer = await readPage(db, principal, domainId, query, after)
  if (!answer) throw notFound('domain', domainId)
  const scope = recordScopeOf(answer, principal)
  const isWhole = seesAllRecords(scope) && query.type === undefined && !query.search
  const total = isWhole ? answer.total : await filteredTotal(db, domainId, scope, query, answer)
  const last = answer.found.length === query.limit ? answer.found.at(-1) : undefined
  return {
    records: answer.found.map(query.data === true ? toRecordWithData : toRecord),
    total,
    page: query.page,
    limit: query.limit,
    nextCursor: last ? cursorAfter(last, domainId, query) : null,
    recordsVersion: answer.seenVersion,
  }
}

/** Returns one record that the caller sees. Rejects with 404. */
export async function readRecord(db: Executor, principal: Principal, domainId: string, recordId: string) {
  const domain = await requireDomain(db, principal, domainId, 'read')
  const row = await findRecord(db, domain.id, recordId)
  if (!row || !seesRecord(recordScopeOf(domain, principal), row)) throw recordNotFound(recordId)
  return toRecordWithData(row)
}

const REMEMBERED = 5_000
const remembered = new WeakMap<Executor, LRUCache<string, { total: number; version: number }>>()

async function filteredTotal(
  db: Executor,
  domainId: string,
  scope: RecordScope,
  query: ListQuery,
  { found, version }: ListPage,
): Promise<number> {
  const { page, limit, cursor, type, search } = query
  // A page that is not full gives the total.
  if (cursor === undefined && found.length < limit && (found.length > 0 || page === 1))
    return (page - 1) * limit + found.length
  const totals =
    remembered.get(db) ?? new LRUCache<string, { total: number; version: number }>({ max: REMEMBERED })
  remembered.set(db, totals)
  const key = JSON.stringify([domainId, type, search, query.in, scope])
  const known = totals.get(key)
  if (known?.version === version) return known.total
  const counted = await countRecords(db, domainId, scope, query)
  totals.set(key, counted)
  return counted.total
}

/** Returns the ETag of a record. It begins with the version, which `If-Match` compares. */
export const recordTag = (record: { version: number }): string =>
  `W/"${record.version}.${hash('sha256', JSON.stringify(record), 'base64url')}"`

/** Returns records of unmanaged types, as of the last sync. */
export async function readUnmanaged(
  db: Executor,
  principal: Principal,
  domainId: string,
  { page, limit }: { page: number; limit: number },
) {
  const scope = recordScopeOf(await requireDomain(db, principal, domainId, 'read'), principal)
  const [rows, total] = await Promise.all([
    listUnmanaged(db, domainId, scope, { limit, offset: (page - 1) * limit }),
    countUnmanaged(db, domainId, scope),
  ])
  const records = rows.map(({ name, type, ttl, value }) => ({ name, recordType: type, ttl, value }))
  return { records, total, page, limit }
}

/** The whole query of a list. */
interface Sorted {
  sort: Sort
}

const COLUMNS = { name: 'name', type: 'type', createdAt: 'created_at' } as const

const listOf = (domainId: string, query: Sorted): CursorList => ({
  list: 'records',
  parent: domainId,
  query,
})

/** Returns the cursor of the records after this one in the same domain, filter and order. */
const cursorAfter = (row: ListRow, domainId: string, query: Sorted): string =>
  cursorAt(listOf(domainId, query), { value: String(row[COLUMNS[query.sort]]), id: row.id })

/** Returns the position of a cursor. Throws a 400 for a cursor of another list, domain, filter or order. */
function readCursor(cursor: string, domainId: string, query: Sorted): Position {
  const isRight = query.sort === 'createdAt' ? isMoment : (value: string | null) => value !== null
  const { value, id } = positionOf(cursor, listOf(domainId, query), isRight)
  return { value: String(value), id }
}
