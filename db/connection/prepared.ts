import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isStalePlan } from './errors.ts'

/** A session keeps each statement that was prepared in it, so not all of the texts that vary without end are. */
const MAX_PREPARED = 500

/** Marks a statement that is planned for its values each time: a plan for any values would be far from the best for most. */
export const PLANNED_EACH_TIME = '/* planned each time */'

const names = new Map<string, string>()

const isPreparable = (text: string): boolean =>
  /^\s*(?:select|with|insert|update|delete)\b/i.test(text) &&
  !text.includes(PLANNED_EACH_TIME) &&
  !hasSeveralRows(text)

/** The text of such an insert varies with the number of rows. */
const hasSeveralRows = (text: string): boolean => text.includes('), ($')

/** The name by which a statement is prepared; none when there are too many. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_PREPARED || !isPreparable(text)) return known
  const name = `statement_${names.size + 1}`
  names.set(text, name)
  return name
}

/**
 * A client of a pool whose statements are prepared: parsed and planned once in each session. For the short ones that
 * requests send, that takes PostgreSQL longer than to run them.
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
      // In a transaction this fails as well, because the transaction has; what failed it is the first error.
      return client.query(text, [...values]).catch(() => Promise.reject(error as Error))
    }
  }
  return {
    // Kysely's type has cursors as well, which are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isStale),
  }
}
