import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../client.ts'

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => data(api.GET('/api/notifications', { signal })),
})
