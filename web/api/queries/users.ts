import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data } from '../client.ts'
import type { paths } from '../schema.d.ts'

type Query = NonNullable<paths['/api/users']['get']['parameters']['query']>
type UserFilter = { [Name in keyof Query]: Query[Name] | undefined }

/** A page of the accounts; the one before stands until it is there. */
export const usersQuery = (query: UserFilter) =>
  queryOptions({
    queryKey: ['users', 'list', query],
    queryFn: ({ signal }) => data(api.GET('/api/users', { params: { query: query as Query }, signal })),
    placeholderData: keepPreviousData,
  })

export const invitationsQuery = (page: number, limit: number) =>
  queryOptions({
    queryKey: ['invitations', page],
    queryFn: ({ signal }) =>
      data(api.GET('/api/invitations', { params: { query: { page, limit } }, signal })),
    placeholderData: keepPreviousData,
  })

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', 'one', id],
    queryFn: ({ signal }) => data(api.GET('/api/users/{id}', { params: { path: { id } }, signal })),
  })
