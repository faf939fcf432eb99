import type { PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { isStalePlan } from './errors.ts'

/** A session keeps each statement that was prepared in it, so of texts that vary without end not all are. */
const MAX_PREPARED = 500

/**
 * Begins a statement that is planned for its values each time: a plan for any values would be far from the best for most.
 * Prepared is what begins with a word for reading.
 */
export const PLANNED_EACH_TIME = '/* planned each time */'

const names = new Map<string, string>()

/** The name by which a statement that reads is prepared; none for those that write, and when there are too many. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_PREPARED || !/^\s*(?:select|with)\b/i.test(text)) return known
  const name = `read_${names.size + 1}`
  names.set(text, name)
  return name
}

/**
 * A client of a pool whose statements that read are prepared: parsed and planned once in each session. For the
 * short ones that requests send, that takes PostgreSQL longer than to run them.
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
