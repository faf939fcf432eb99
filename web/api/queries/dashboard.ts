import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'

export const dashboardQuery = queryOptions({
  queryKey: ['dashboard', 'summary'],
  queryFn: ({ signal }) => api.GET('/api/dashboard', { signal }),
})

export const expiriesQuery = queryOptions({
  queryKey: ['dashboard', 'expiries'],
  queryFn: ({ signal }) => api.GET('/api/dashboard/expiries', { signal }),
})
