import { cursorAt, isMoment, positionOf } from '../../plugins/cursor.ts'
import type { ListRow } from './mapper.ts'
import type { Sort } from './schemas.ts'

/** The last row of a page: what it is sorted by, to the microsecond, and its id. */
export interface Position {
  value: string
  id: string
}

interface ListOrder {
  sort: Sort
  order: 'asc' | 'desc'
}

const COLUMNS = { name: 'name', type: 'type', createdAt: 'created_at' } as const

/** Text that leads to the rows after this one, in this order of the list alone. */
export const cursorAfter = (row: ListRow, { sort, order }: ListOrder): string =>
  cursorAt([sort, order], { value: String(row[COLUMNS[sort]]), id: row.id })

/** Where a cursor stands. Throws a 400 for one of another order, or that is none. */
export function readCursor(cursor: string, { sort, order }: ListOrder): Position {
  const isRight = sort === 'createdAt' ? isMoment : (value: string | null) => value !== null
  const { value, id } = positionOf(cursor, [sort, order], isRight)
  return { value: String(value), id }
}
