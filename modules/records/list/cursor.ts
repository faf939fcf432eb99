import { cursorAt, isMoment, positionOf, type CursorList } from '../../../plugins/page-cursor.ts'
import type { ListRow } from './mapper.ts'
import type { Sort } from './schemas.ts'

/** The last row of a page: the value it is sorted by (times to the microsecond), and its id. */
export interface Position {
  value: string
  id: string
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
export const cursorAfter = (row: ListRow, domainId: string, query: Sorted): string =>
  cursorAt(listOf(domainId, query), { value: String(row[COLUMNS[query.sort]]), id: row.id })

/** Returns the position of a cursor. Throws a 400 for a cursor of another list, domain, filter or order. */
export function readCursor(cursor: string, domainId: string, query: Sorted): Position {
  const isRight = query.sort === 'createdAt' ? isMoment : (value: string | null) => value !== null
  const { value, id } = positionOf(cursor, listOf(domainId, query), isRight)
  return { value: String(value), id }
}
