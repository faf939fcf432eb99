import { QueryClient } from '@tanstack/react-query'
import { ApiProblem, Unreachable } from './problems.ts'

/** Reads are repeated twice where that may help; writes only when somebody says so. */
const isWorthAnother = (failures: number, error: unknown) =>
  failures < 2 &&
  (error instanceof Unreachable ||
    (error instanceof ApiProblem && (error.status === 502 || error.status === 503 || error.status === 504)))

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isWorthAnother,
      // What changes is told by the event stream; what it does not tell is asked again on coming back.
      staleTime: 30_000,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
