import { createHash } from 'node:crypto'
import { validate as isUuid } from 'uuid'
import { invalid } from './http/errors.ts'

/** Sort value (null for none) and id of the last row of a page. */
export interface Position {
  value: string | null
  id: string
}

/** The list and query that a cursor is valid for. */
export interface CursorList {
  list: 'audit' | 'changes' | 'domains' | 'plan' | 'records' | 'search'
  /** The domain or plan of the list; null for a list without a parent. */
  parent: string | null
  /** The whole query; members that only choose fields or page sizes are ignored. */
  query: object
}

/** Members of a query that neither select nor order rows. */
const PRESENTATION = new Set(['page', 'limit', 'cursor', 'data'])

/** Returns a cursor for the rows after this one. */
export const cursorAt = (list: CursorList, { value, id }: Position): string =>
  Buffer.from(JSON.stringify([bindingOf(list), value, id])).toString('base64url')

/** Reads a cursor. Throws a 400 for one of another list, filter or order; `fits` checks the sort value. */
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

/** A time in the JSON format of PostgreSQL, to the microsecond. */
export const isMoment = (value: string | null): value is string =>
  value !== null && /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/.test(value) && !Number.isNaN(Date.parse(value))

/** A digest keeps the cursor short with long filters. */
function bindingOf({ list, parent, query }: CursorList): string {
  const filter = Object.entries(query)
    .filter(([name, value]) => !PRESENTATION.has(name) && value !== undefined && value !== '')
    // The order of repeated parameters doesn't matter.
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
