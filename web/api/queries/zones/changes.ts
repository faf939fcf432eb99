import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../client.ts'
import type { ConsoleApi } from '../../schema.d.ts'

type Query = NonNullable<ConsoleApi['/api/domains/{id}/changes']['GET']['query']>
export type ChangeFilter = { [Name in keyof Query]: Query[Name] | undefined }

/** A page of the history of a domain, newest first. */
export const changesQuery = (id: string, query: ChangeFilter) =>
  queryOptions({
    queryKey: ['changes', id, 'list', query],
    queryFn: ({ signal }) =>
      api.GET('/api/domains/{id}/changes', { path: { id }, query: query as Query, signal }),
    placeholderData: keepPreviousData,
  })

export const changeQuery = (id: string, changeId: string) =>
  queryOptions({
    queryKey: ['changes', id, 'one', changeId],
    queryFn: ({ signal }) =>
      api.GET('/api/domains/{id}/changes/{changeId}', {
        path: { id, changeId },
        query: { unchanged: true },
        signal,
      }),
  })

/** An operation, polled until it ends. */
export const operationQuery = (id: string) =>
  queryOptions({
    queryKey: ['operations', id],
    queryFn: ({ signal }) => api.GET('/api/operations/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'finished' ? false : 1500),
  })
