import { QueryClient } from '@tanstack/react-query'
import { isWorthAnother, pauseBefore } from './repeated.ts'

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
