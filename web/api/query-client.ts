import { QueryClient } from '@tanstack/react-query'
import { ApiProblem, Unreachable } from './problems.ts'

/** Longer than that nobody looks at bars: then it is said, and counted down. */
const MAX_PAUSE_SECONDS = 5

/** Reads are repeated twice where that may help; writes only when somebody says so. */
const isWorthAnother = (failures: number, error: unknown) =>
  failures < 2 &&
  (error instanceof Unreachable ||
    (error instanceof ApiProblem && (error.status === 502 || error.status === 503 || error.status === 504)))

/** As long as the service says, else twice as long each time; milliseconds. */
const pauseBefore = (failures: number, error: unknown) =>
  error instanceof ApiProblem && error.problem.retryAfter !== undefined
    ? Math.min(error.problem.retryAfter, MAX_PAUSE_SECONDS) * 1000
    : 1000 * 2 ** failures

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isWorthAnother,
      retryDelay: pauseBefore,
      // What changes is told by the event stream; what it does not tell is asked again on coming back.
      staleTime: 30_000,
      refetchOnWindowFocus: true,
      // Back from being offline: all that is seen.
      refetchOnReconnect: 'always',
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
