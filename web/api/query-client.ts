import { QueryClient } from '@tanstack/react-query'
import { isWorthAnother, pauseBefore } from './repeated.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: isWorthAnother,
      retryDelay: pauseBefore,
      // The event stream announces most changes; the rest is refreshed when the window gets focus.
      staleTime: 30_000,
      refetchOnWindowFocus: true,
      // Back online: refresh everything visible.
      refetchOnReconnect: 'always',
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})
