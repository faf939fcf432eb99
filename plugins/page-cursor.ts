import { createHash } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import { invalid } from './http/errors.ts'

/** The last row of a page, as far as the next one needs it: its sort value (null: none), and its id. */
export interface Position {
  value: string | null
  id: string
}

/** What a cursor belongs to. It is refused anywhere else. */
export interface CursorList {
  list: 'audit' | 'changes' | 'domains' | 'plan' | 'records' | 'search'
  /** The domain or the plan whose list it is; null: the list has no parent. */
  parent: string | null
  /** The whole query. All of it counts except what only says how much of each row to return. */
  query: object
}

/** Members of a query that select no rows and don't order them. */
const PRESENTATION = new Set(['page', 'limit', 'cursor', 'data'])

/** Returns the text that leads to the rows after this one in the same list, filter and order. */
export const cursorAt = (list: CursorList, { value, id }: Position): string =>
  Buffer.from(JSON.stringify([bindingOf(list), value, id])).toString('base64url')

/** Reads where a cursor stands. Throws a 400 for a cursor of another list, filter or order; `fits` checks the sort value. */
export function positionOf(
  cursor: string,
  list: CursorList,
  fits: (value: string | null) => boolean,
): Position {
  const [binding, value, id, ...more] = partsOf(cursor)
  const isOfList = binding === bindingOf(list) && more.length === 0
  if (!isOfList || !isUuid(id) || !isText(value) || !fits(value)) {
    throw invalid({
      path: '/cursor',
      code: 'cursor',
      message: 'is not valid for this list, filter and sort order; omit it to start over',
    })
  }
  return { value, id: id as string }
}

/** A time as PostgreSQL writes it into JSON, to the microsecond. */
export const isMoment = (value: string | null): value is string =>
  value !== null && /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/.test(value) && !Number.isNaN(Date.parse(value))

/** A digest, so that a cursor stays short however long the filter is. */
function bindingOf({ list, parent, query }: CursorList): string {
  const filter = Object.entries(query)
    .filter(([name, value]) => !PRESENTATION.has(name) && value !== undefined && value !== '')
    // Repeated parameters are a set: their order selects nothing.
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String).toSorted() : value])
    .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([list, parent?.toLowerCase() ?? null, filter]))
    .digest('base64url')
    .slice(0, 16)
}

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
