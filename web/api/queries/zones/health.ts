import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../client.ts'
import type { ConsoleApi } from '../../schema.d.ts'

type Query = NonNullable<ConsoleApi['/api/health-findings']['GET']['query']>
export type FindingFilter = { [Name in keyof Query]: Query[Name] | undefined }

/** A page of the findings of all domains, most severe first. */
export const findingsQuery = (query: FindingFilter) =>
  queryOptions({
    queryKey: ['health', 'list', query],
    queryFn: ({ signal }) => api.GET('/api/health-findings', { query: query as Query, signal }),
    placeholderData: keepPreviousData,
  })

/** The findings of one domain, as of its last check. */
export const healthQuery = (id: string) =>
  queryOptions({
    queryKey: ['health', 'one', id],
    queryFn: ({ signal }) => api.GET('/api/domains/{id}/health', { path: { id }, signal }),
  })
