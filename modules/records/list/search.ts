import type { Executor } from '../../../db/connection/connect.ts'
import { cursorAt, positionOf, type CursorList } from '../../../plugins/page-cursor.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { toRecord } from './mapper.ts'
import { findRecords, type FoundPosition, type FoundRow, type SearchQuery } from './search-queries.ts'

/** Finds records by host name, value, full name, address or network, over all domains that the caller sees. */
export async function searchRecords(db: Executor, principal: Principal, query: SearchQuery) {
  const list: CursorList = { list: 'search', parent: null, query }
  const after = query.cursor === undefined ? null : readCursor(query.cursor, list)
  const { found, total, complete } = await findRecords(db, principal, query, after)
  const records = found.map((row) => ({ ...toRecord(row), domainName: row.domain_name }))
  const last = found.length === query.limit ? found.at(-1) : undefined
  const nextCursor = last ? cursorAfter(last, list) : null
  return { records, total, complete, page: query.page, limit: query.limit, nextCursor }
}

/** Neither name contains a space. */
const SEPARATOR = ' '

const cursorAfter = ({ domain_name, name, id }: FoundRow, list: CursorList) =>
  cursorAt(list, { value: `${domain_name}${SEPARATOR}${name}`, id })

function readCursor(cursor: string, list: CursorList): FoundPosition {
  const { value, id } = positionOf(cursor, list, (names) => names?.includes(SEPARATOR) ?? false)
  const names = String(value)
  const end = names.indexOf(SEPARATOR)
  return { domainName: names.slice(0, end), name: names.slice(end + 1), id }
}
