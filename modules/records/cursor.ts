import { validate as isUuid } from 'uuid'
import { invalid } from '../../plugins/errors.ts'
import type { ListRow } from './mapper.ts'
import type { Sort } from './schemas.ts'

/** The last row of a page, as far as the next one needs it: what it is sorted by, to the microsecond, and its id. */
export interface Position {
  value: string
  id: string
}

/** Text that leads to the rows after this one, in this order of the list alone. */
export const cursorAfter = (row: ListRow, order: ListOrder): string =>
  Buffer.from(JSON.stringify([...orderOf(order), String(row[COLUMNS[order.sort]]), row.id])).toString(
    'base64url',
  )

interface ListOrder {
  sort: Sort
  order: 'asc' | 'desc'
}

const COLUMNS = { name: 'name', type: 'type', createdAt: 'created_at' } as const

const orderOf = ({ sort, order }: ListOrder) => [sort, order]

/** Where a cursor stands. Throws a 400 for one of another order, or that is none. */
export function readCursor(cursor: string, order: ListOrder): Position {
  const [sort, direction, value, id] = partsOf(cursor)
  if (sort !== order.sort || direction !== order.order || !isUuid(id) || !fits(value, order)) {
    throw invalid({
      path: '/cursor',
      code: 'cursor',
      message: 'is none of this list in this order: leave it out to begin anew',
    })
  }
  return { value, id: id as string }
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

function fits(value: unknown, { sort }: ListOrder): value is string {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return false
  return (
    sort !== 'createdAt' ||
    (/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/.test(value) && !Number.isNaN(Date.parse(value)))
  )
}
