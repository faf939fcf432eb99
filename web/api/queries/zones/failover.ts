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
