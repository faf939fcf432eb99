import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../client.ts'
import type { ConsoleApi } from '../../schema.d.ts'

type Query = NonNullable<ConsoleApi['/api/change-requests']['GET']['query']>
export type RequestFilter = { [Name in keyof Query]: Query[Name] | undefined }

/** No event announces a comment or a withdrawn request. */
const LOOK_MS = 30_000
/** Polling interval while a request is being applied, in milliseconds. */
const APPLYING_MS = 1500

/** A page of change requests, newest first. */
export const changeRequestsQuery = (query: RequestFilter) =>
  queryOptions({
    queryKey: ['change-requests', 'list', query],
    queryFn: ({ signal }) => api.GET('/api/change-requests', { query: query as Query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  })

/** One request with its plan and timeline. */
export const changeRequestQuery = (id: string) =>
  queryOptions({
    queryKey: ['change-requests', 'one', id],
    queryFn: ({ signal }) => api.GET('/api/change-requests/{id}', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'approved' ? APPLYING_MS : LOOK_MS),
  })
