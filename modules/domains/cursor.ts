import { cursorAt, isMoment, positionOf, type Position } from '../../plugins/cursor.ts'
import type { ListRow } from './mapper.ts'
import type { Sort } from './schemas.ts'

interface ListOrder {
  sort: Sort
  order: 'asc' | 'desc'
}

const COLUMNS = {
  name: 'name',
  expiresAt: 'expires_at',
  createdAt: 'created_at',
  recordCount: 'record_count',
} as const

/** Whether a list of that order has such a row. */
const FITS: Record<Sort, (value: string | null) => boolean> = {
  name: (value) => value !== null,
  expiresAt: (value) => value === null || isMoment(value),
  createdAt: isMoment,
  recordCount: (value) => value !== null && /^\d{1,9}$/.test(value),
}

/** Text that leads to the rows after this one, in this order of the list alone. */
export function cursorAfter(row: ListRow, { sort, order }: ListOrder): string {
  const value = row[COLUMNS[sort]]
  return cursorAt([sort, order], { value: value === null ? null : String(value), id: row.id })
}

/** Where a cursor stands. Throws a 400 for one of another order, or that is none. */
export const readCursor = (cursor: string, { sort, order }: ListOrder): Position =>
  positionOf(cursor, [sort, order], FITS[sort])
