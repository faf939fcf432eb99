import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/**
 * What the work comes to, or after `ms` milliseconds a rejection with `failure()`; the work is not stopped. An answer
 * that has arrived counts, also when this process was too busy to read it in time.
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
