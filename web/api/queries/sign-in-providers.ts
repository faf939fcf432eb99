import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'

/** What is set up, and what could be; for administrators. */
export const oauthProvidersQuery = queryOptions({
  queryKey: ['sign-in-providers', 'configs'],
  queryFn: ({ signal }) => api.GET('/api/oauth/providers', { signal }),
})

/** What is to be registered at a provider. */
export const callbackUrlQuery = (providerId: string) =>
  queryOptions({
    queryKey: ['sign-in-providers', 'callback', providerId],
    queryFn: ({ signal }) =>
      api.GET('/api/auth/oauth/{providerId}/callback-url', { path: { providerId }, signal }),
    staleTime: Infinity,
  })
