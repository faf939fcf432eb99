import type pg from 'pg'
import { withClient } from './postgres.ts'

/** Runs each statement over and over on a connection of its own, and measures the longest. */
export async function startLoad(database: pg.ClientConfig, statements: readonly string[]) {
  const over = new AbortController()
  let longest = { ms: 0, statement: '' }
  const loops = statements.map(async (statement) => {
    await withClient(database, async (client) => {
      while (!over.signal.aborted) {
        const begun = performance.now()
        await client.query(statement)
        const took = performance.now() - begun
        if (took > longest.ms) longest = { ms: took, statement }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
  })
  return {
    reset: () => (longest = { ms: 0, statement: '' }),
    /** Waits until each has been answered once more. */
    async longest() {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return longest
    },
    async stop() {
      over.abort()
      await Promise.all(loops)
    },
  }
}
