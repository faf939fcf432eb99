import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../client.ts'

export const providerConfigsQuery = queryOptions({
  queryKey: ['providers', 'configs'],
  queryFn: ({ signal }) => data(api.GET('/api/provider-configs', { signal })),
  select: ({ providerConfigs }) => providerConfigs,
})

export const providerConfigQuery = (id: string) =>
  queryOptions({
    queryKey: ['providers', 'configs', id],
    queryFn: ({ signal }) =>
      data(api.GET('/api/provider-configs/{id}', { params: { path: { id } }, signal })),
  })

/** The zones at a provider: asked there, so not again on each look. */
export const zonesQuery = (id: string) =>
  queryOptions({
    queryKey: ['providers', 'zones', id],
    queryFn: ({ signal }) =>
      data(api.GET('/api/provider-configs/{id}/zones', { params: { path: { id } }, signal })),
    select: ({ zones }) => zones,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
