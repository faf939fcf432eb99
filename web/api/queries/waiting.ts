import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'

/** Number of change requests that wait for the user. */
export const waitingQuery = queryOptions({
  queryKey: ['waiting'],
  queryFn: ({ signal }) => api.GET('/api/change-requests', { query: { canApprove: true, limit: 1 }, signal }),
  select: ({ total }) => total,
  // Administrators aren't told about requests that others may approve.
  refetchInterval: 60_000,
})
