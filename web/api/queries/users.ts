import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import type { ConsoleApi } from '../schema.d.ts'

type Query = NonNullable<ConsoleApi['/api/users']['GET']['query']>
type UserFilter = { [Name in keyof Query]: Query[Name] | undefined }

/** A page of accounts; the previous page stays until it has loaded. */
export const usersQuery = (query: UserFilter) =>
  queryOptions({
    queryKey: ['users', 'list', query],
    queryFn: ({ signal }) => api.GET('/api/users', { query: query as Query, signal }),
    placeholderData: keepPreviousData,
  })

export const invitationsQuery = (page: number, limit: number) =>
  queryOptions({
    queryKey: ['invitations', page],
    queryFn: ({ signal }) => api.GET('/api/invitations', { query: { page, limit }, signal }),
    placeholderData: keepPreviousData,
  })

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => api.GET('/api/users/{id}', { path: { id }, signal }),
  })
