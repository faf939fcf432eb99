import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../client.ts'

export const SEARCH_LIMIT = 100

/** Records by name, value, address or network across all visible domains. */
export const recordSearchQuery = (q: string, page: number, limit = SEARCH_LIMIT) =>
  queryOptions({
    queryKey: ['records', 'search', { q, page, limit }],
    queryFn: ({ signal }) => api.GET('/api/records/search', { query: { q, page, limit }, signal }),
    placeholderData: keepPreviousData,
  })

/** A plan over many domains with its results, page by page. */
export const domainsPlanQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['domains-plan', id],
    queryFn: ({ pageParam, signal }) =>
      api.GET('/api/records/plans/{id}', {
        path: { id },
        query: { limit: 50, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: Infinity,
  })
