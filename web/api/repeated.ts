import { ApiProblem, Unreachable } from './problems.ts'

/** Longest automatic wait, in milliseconds; longer ones are shown with a countdown. */
const MAX_PAUSE_SECONDS = 5

/** Reads are retried twice if that may help; writes only by the user. */
export const isWorthAnother = (failures: number, error: unknown): boolean =>
  failures < 2 &&
  (error instanceof Unreachable ||
    (error instanceof ApiProblem && (error.status === 502 || error.status === 503 || error.status === 504)))

/** Pause in milliseconds: what the service says, else exponential. */
export const pauseBefore = (failures: number, error: unknown): number =>
  error instanceof ApiProblem && error.problem.retryAfter !== undefined
    ? Math.min(error.problem.retryAfter, MAX_PAUSE_SECONDS) * 1000
    : 1000 * 2 ** failures

/** A read with retries. Rejects with the last error. */
export async function repeated<T>(read: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await read()
    } catch (error) {
      if (!isWorthAnother(failures, error)) throw error
      await new Promise((resolve) => setTimeout(resolve, pauseBefore(failures, error)))
    }
  }
}
