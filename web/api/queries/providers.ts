import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'

export const providerConfigsQuery = queryOptions({
  queryKey: ['providers', 'configs'],
  queryFn: ({ signal }) => api.GET('/api/provider-configs', { signal }),
  select: ({ providerConfigs }) => providerConfigs,
})

export const providerConfigQuery = (id: string) =>
  queryOptions({
    queryKey: ['providers', 'configs', id],
    queryFn: ({ signal }) => api.GET('/api/provider-configs/{id}', { path: { id }, signal }),
  })

/** Zones at a provider; cached longer because each call asks the provider. */
export const zonesQuery = (id: string) =>
  queryOptions({
    queryKey: ['providers', 'zones', id],
    queryFn: ({ signal }) => api.GET('/api/provider-configs/{id}/zones', { path: { id }, signal }),
    select: ({ zones }) => zones,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
