import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => api.GET('/api/notifications', { signal }),
})
