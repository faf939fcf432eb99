import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isStalePlan } from './errors.ts'

/** Limits how many statements a session keeps prepared, since some texts vary without end. */
const MAX_PREPARED = 500

/** Marks a statement to be planned for its values each time, because a generic plan would be much slower. */
export const PLANNED_EACH_TIME = '/* planned each time */'

const names = new Map<string, string>()

const isPreparable = (text: string): boolean =>
  /^\s*(?:select|with|insert|update|delete)\b/i.test(text) &&
  !text.includes(PLANNED_EACH_TIME) &&
  !hasSeveralRows(text)

/** The text of a multi-row insert varies with the number of rows. */
const hasSeveralRows = (text: string): boolean => text.includes('), ($')

/** Name for the prepared statement; undefined when there are too many. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_PREPARED || !isPreparable(text)) return known
  const name = `statement_${names.size + 1}`
  names.set(text, name)
  return name
}

/**
 * A pool client whose statements are parsed and planned once per session. For short statements, parsing and
 * planning take PostgreSQL longer than running them.
 */
export function preparing(client: pg.PoolClient): PostgresPoolClient {
  let isStale = false
  const query = async (text: string, values: readonly unknown[]) => {
    const name = nameOf(text)
    if (name === undefined) return client.query(text, [...values])
    try {
      return await client.query({ name, text, values: [...values] })
    } catch (error) {
      if (!isStalePlan(error)) throw error
      isStale = true
      // In an aborted transaction this fails too; the first error is the cause.
      return client.query(text, [...values]).catch(() => Promise.reject(error as Error))
    }
  }
  return {
    // Kysely's type also has cursors, which are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isStale),
  }
}
