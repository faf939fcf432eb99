import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../client.ts'
import type { ConsoleApi } from '../../schema.d.ts'

export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['domain', id],
    queryFn: ({ signal }) => api.GET('/api/domains/{id}', { path: { id }, signal }),
  })

type Query = NonNullable<ConsoleApi['/api/domains']['GET']['query']>
export type DomainFilter = { [Name in keyof Query]: Query[Name] | undefined }

/** A page of domains; the previous page stays until it has loaded. */
export const domainsQuery = (query: DomainFilter) =>
  queryOptions({
    queryKey: ['domains', 'list', query],
    queryFn: ({ signal }) => api.GET('/api/domains', { query: query as Query, signal }),
    placeholderData: keepPreviousData,
  })

export const tagsQuery = queryOptions({
  queryKey: ['domains', 'tags'],
  queryFn: ({ signal }) => api.GET('/api/domains/tags', { signal }),
  select: ({ tags }) => tags.map(({ name }) => name),
})

export const groupsQuery = queryOptions({
  queryKey: ['domains', 'groups'],
  queryFn: ({ signal }) => api.GET('/api/domains/groups', { signal }),
  select: ({ groups }) => groups.map(({ name }) => name),
})

export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }) => api.GET('/api/providers', { signal }),
  select: ({ providers }) => providers,
  staleTime: Infinity,
})

export const recordTypesQuery = queryOptions({
  queryKey: ['record-types'],
  queryFn: ({ signal }) => api.GET('/api/record-types', { signal }),
  select: ({ recordTypes }) => recordTypes,
  staleTime: Infinity,
})
