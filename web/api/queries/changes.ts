import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data } from '../client.ts'
import type { paths } from '../schema.d.ts'

type Query = NonNullable<paths['/api/domains/{id}/changes']['get']['parameters']['query']>
export type ChangeFilter = { [Name in keyof Query]: Query[Name] | undefined }

/** A page of the history of a domain, newest first. */
export const changesQuery = (id: string, query: ChangeFilter) =>
  queryOptions({
    queryKey: ['changes', id, 'list', query],
    queryFn: ({ signal }) =>
      data(api.GET('/api/domains/{id}/changes', { params: { path: { id }, query: query as Query }, signal })),
    placeholderData: keepPreviousData,
  })

export const changeQuery = (id: string, changeId: string) =>
  queryOptions({
    queryKey: ['changes', id, 'one', changeId],
    queryFn: ({ signal }) =>
      data(
        api.GET('/api/domains/{id}/changes/{changeId}', {
          params: { path: { id, changeId }, query: { unchanged: true } },
          signal,
        }),
      ),
  })

/** A large change that goes on after its answer: asked again until it has ended. */
export const operationQuery = (id: string) =>
  queryOptions({
    queryKey: ['operations', id],
    queryFn: ({ signal }) => data(api.GET('/api/operations/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.state === 'finished' ? false : 1500),
  })
