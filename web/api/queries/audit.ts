import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data } from '../client.ts'
import type { paths } from '../schema.d.ts'

type Query = NonNullable<paths['/api/audit']['get']['parameters']['query']>
export type AuditFilter = {
  [Name in 'actor' | 'action' | 'target' | 'token' | 'origin' | 'from' | 'to']?: string | undefined
}
export type AuditEntry =
  paths['/api/audit']['get']['responses'][200]['content']['application/json']['entries'][number]

/** A page of the audit trail, the newest first; the one before stands until it is there. */
export const auditQuery = (filter: AuditFilter, page: number, limit: number) =>
  queryOptions({
    queryKey: ['audit', filter, page],
    queryFn: ({ signal }) =>
      data(api.GET('/api/audit', { params: { query: { ...filter, page, limit } as Query }, signal })),
    placeholderData: keepPreviousData,
  })

/** All that the filter lets through, as CSV. */
export const auditCsv = (filter: AuditFilter): Promise<string> =>
  data(api.GET('/api/audit/export', { params: { query: filter as Query }, parseAs: 'text' }))
