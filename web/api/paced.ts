import { hasCode } from './problems.ts'

export type Progress = { state: 'waiting' | 'running' } | { state: 'done' | 'failed'; result: unknown }

/** Concurrent calls. */
const AT_ONCE = 3
/** Retries after 429. */
const PATIENCE = 5

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

/**
 * Calls `work` for each item, a few at a time; waits after a 429 as long as the service says. Reports each result; that
 * of a failed item is its error. After `signal` aborts, no further item is started.
 */
export async function paced<T extends { id: string }>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  onProgress: (id: string, progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  const rest = [...items]
  const run = async () => {
    for (let item = rest.shift(); item && !signal.aborted; item = rest.shift()) {
      onProgress(item.id, { state: 'running' })
      try {
        onProgress(item.id, { state: 'done', result: await patiently(item, work, signal) })
      } catch (error) {
        onProgress(item.id, { state: 'failed', result: error })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
}

async function patiently<T>(item: T, work: (item: T) => Promise<unknown>, signal: AbortSignal) {
  for (let tries = 1; ; tries++) {
    try {
      return await work(item)
    } catch (error) {
      if (!hasCode(error, 'rate_limited') || tries > PATIENCE || signal.aborted) throw error
      await pause(error.problem.retryAfter ?? 5)
    }
  }
}
