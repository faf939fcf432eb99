import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'

/** Configured and available identity providers; for administrators. */
export const oauthProvidersQuery = queryOptions({
  queryKey: ['sign-in-providers', 'configs'],
  queryFn: ({ signal }) => api.GET('/api/oauth/providers', { signal }),
})

/** URLs to register at a provider. */
export const callbackUrlQuery = (providerId: string) =>
  queryOptions({
    queryKey: ['sign-in-providers', 'callback', providerId],
    queryFn: ({ signal }) =>
      api.GET('/api/auth/oauth/{providerId}/callback-url', { path: { providerId }, signal }),
    staleTime: Infinity,
  })
