import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../client.ts'
import type { ConsoleApi } from '../../schema.d.ts'

type Query = NonNullable<ConsoleApi['/api/failover-monitors']['GET']['query']>

/** Checks are announced by no event. */
const LOOK_MS = 10_000

/** A page of the failover monitors of all domains, those with a problem first. */
export const monitorsQuery = (query: { [Name in keyof Query]: Query[Name] | undefined }) =>
  queryOptions({
    queryKey: ['failover', query],
    queryFn: ({ signal }) => api.GET('/api/failover-monitors', { query: query as Query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  })

/** Types whose values are addresses or names of servers, which checks can ask. */
export const CHECKABLE = ['A', 'AAAA', 'CNAME', 'ALIAS'] as const
const FOUND = 200

/** Records that a monitor could switch, by part of the host name. */
export const switchableQuery = (domainId: string, search: string) =>
  queryOptions({
    queryKey: ['records', domainId, 'switchable', search],
    queryFn: ({ signal }) =>
      api.GET('/api/domains/{id}/records', {
        path: { id: domainId },
        query: { type: [...CHECKABLE], limit: FOUND, ...(search !== '' && { search }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
