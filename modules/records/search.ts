import type { Executor } from '../../db/connect.ts'
import type { Principal } from '../../plugins/access/index.ts'
import { toRecord } from './mapper.ts'
import { findRecords, type SearchQuery } from './search-queries.ts'

/** Finds records by host name, value, full name, address or network, over all domains that the caller sees. */
export async function searchRecords(db: Executor, principal: Principal, query: SearchQuery) {
  const { found, total, complete } = await findRecords(db, principal, query)
  const records = found.map((row) => ({ ...toRecord(row), domainName: row.domain_name }))
  return { records, total, complete, page: query.page, limit: query.limit }
}
