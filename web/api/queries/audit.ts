import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import type { ConsoleApi } from '../schema.d.ts'

type Query = NonNullable<ConsoleApi['/api/audit']['GET']['query']>
export type AuditFilter = {
  [Name in 'actor' | 'action' | 'target' | 'token' | 'origin' | 'from' | 'to']?: string | undefined
}
export type AuditEntry = ConsoleApi['/api/audit']['GET']['answer']['entries'][number]

/** A page of the audit log, newest first; the previous page stays until it has loaded. */
export const auditQuery = (filter: AuditFilter, page: number, limit: number) =>
  queryOptions({
    queryKey: ['audit', filter, page],
    queryFn: ({ signal }) => api.GET('/api/audit', { query: { ...filter, page, limit } as Query, signal }),
    placeholderData: keepPreviousData,
  })

/** All matching entries as CSV. */
export const auditCsv = (filter: AuditFilter): Promise<string> =>
  api.GET('/api/audit/export', { query: filter as Query })
