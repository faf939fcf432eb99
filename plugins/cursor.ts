import { validate as isUuid } from 'uuid'
import { invalid } from './errors.ts'

/** The last row of a page, as far as the next one needs it: what it is sorted by (null: nothing), and its id. */
export interface Position {
  value: string | null
  id: string
}

/** Text that leads to the rows after this one, in this order of the list alone. */
export const cursorAt = (order: readonly string[], { value, id }: Position): string =>
  Buffer.from(JSON.stringify([...order, value, id])).toString('base64url')

/** Where a cursor stands. Throws a 400 for one of another order, or that is none; `fits`: what such a row is sorted by. */
export function positionOf(
  cursor: string,
  order: readonly string[],
  fits: (value: string | null) => boolean,
): Position {
  const parts = partsOf(cursor)
  const [value, id] = parts.slice(order.length)
  const isOfOrder = parts.length === order.length + 2 && order.every((part, at) => parts[at] === part)
  if (!isOfOrder || !isUuid(id) || !isText(value) || !fits(value)) {
    throw invalid({
      path: '/cursor',
      code: 'cursor',
      message: 'is none of this list in this order: leave it out to begin anew',
    })
  }
  return { value, id: id as string }
}

/** A moment as PostgreSQL writes it into JSON, to the microsecond. */
export const isMoment = (value: string | null): value is string =>
  value !== null && /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/.test(value) && !Number.isNaN(Date.parse(value))

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

const isText = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && value.isWellFormed() && !value.includes('\0'))
