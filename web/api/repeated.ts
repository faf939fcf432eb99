import { ApiProblem, Unreachable } from './problems.ts'

/** Longer than that nobody looks at bars: then it is said, and counted down. */
const MAX_PAUSE_SECONDS = 5

/** Reads are repeated twice where that may help; writes only when somebody says so. */
export const isWorthAnother = (failures: number, error: unknown): boolean =>
  failures < 2 &&
  (error instanceof Unreachable ||
    (error instanceof ApiProblem && (error.status === 502 || error.status === 503 || error.status === 504)))

/** As long as the service says, else twice as long each time; milliseconds. */
export const pauseBefore = (failures: number, error: unknown): number =>
  error instanceof ApiProblem && error.problem.retryAfter !== undefined
    ? Math.min(error.problem.retryAfter, MAX_PAUSE_SECONDS) * 1000
    : 1000 * 2 ** failures

/** A read, repeated where that may help. Rejects with what the last try rejects with. */
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
