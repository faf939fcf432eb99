import { queryOptions } from '@tanstack/react-query'
import { api, data } from '../client.ts'

export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain', id],
    queryFn: ({ signal }) => data(api.GET('/api/domains/{id}', { params: { path: { id } }, signal })),
  })

export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }) => data(api.GET('/api/providers', { signal })),
  select: ({ providers }) => providers,
  staleTime: Infinity,
})

export const recordTypesQuery = queryOptions({
  queryKey: ['record-types'],
  queryFn: ({ signal }) => data(api.GET('/api/record-types', { signal })),
  select: ({ recordTypes }) => recordTypes,
  staleTime: Infinity,
})
