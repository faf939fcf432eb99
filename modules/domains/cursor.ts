import { cursorAt, isMoment, positionOf, type CursorList, type Position } from '../../plugins/page-cursor.ts'
import type { ListRow } from './mapper.ts'
import type { Sort } from './schemas.ts'

/** Query of a list. */
interface Sorted {
  sort: Sort
}

const COLUMNS = {
  name: 'name',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
  recordCount: 'record_count',
} as const

/** Whether a cursor's value fits the sort order. */
const FITS: Record<Sort, (value: string | null) => boolean> = {
  name: (value) => value !== null,
  expiresAt: (value) => value === null || isMoment(value),
  createdAt: isMoment,
  recordCount: (value) => value !== null && /^\d{1,9}$/.test(value),
}

const listOf = (query: Sorted): CursorList => ({ list: 'domains', parent: null, query })

/** Returns the text that leads to the rows after this one in the same filter and order. */
export function cursorAfter(row: ListRow, query: Sorted): string {
  const value = row[COLUMNS[query.sort]]
  return cursorAt(listOf(query), { value: value === null ? null : String(value), id: row.id })
}

/** Reads where a cursor stands. Throws a 400 for a cursor of another list, filter or order. */
export const readCursor = (cursor: string, query: Sorted): Position =>
  positionOf(cursor, listOf(query), FITS[query.sort])
