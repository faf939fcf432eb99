import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/**
 * Resolves with the result of the work, or rejects with `failure()` after `ms` milliseconds; the work is not
 * stopped. An answer that arrived in time counts even if this process was too busy to read it.
 */
export async function withinTimeLimit<T>(work: Promise<T>, ms: number, failure: () => Error): Promise<T> {
  const over = new AbortController()
  const late = async (): Promise<never> => {
    await sleep(ms, undefined, { signal: over.signal })
    await nextTurn()
    throw failure()
  }
  try {
    return await Promise.race([work, late()])
  } finally {
    over.abort()
  }
}
