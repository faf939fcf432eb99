import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import type { Schemas } from '../schema.d.ts'

const LIMIT = 100

interface Of {
  userId?: string
  domainId?: string
}

/** All visible permissions of a user or domain, including expired ones. */
export const assignmentsQuery = (of: Of) =>
  queryOptions({
    queryKey: ['assignments', of],
    async queryFn({ signal }): Promise<Schemas['Assignment'][]> {
      const all: Schemas['Assignment'][] = []
      for (let page = 1; ; page++) {
        const query = { ...of, page, limit: LIMIT }
        const answer = await api.GET('/api/assignments', { query, signal })
        all.push(...answer.assignments)
        if (all.length >= answer.total || answer.assignments.length === 0) return all
      }
    },
  })

/** Access requests, newest first: all for administrators, own ones for others. */
export const requestsQuery = (status: Schemas['AssignmentRequestStatus'] | undefined, page: number) =>
  queryOptions({
    queryKey: ['requests', { status, page }],
    queryFn: ({ signal }) =>
      api.GET('/api/assignments/requests', {
        query: { page, limit: 25, ...(status && { status }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    // No event announces a withdrawn request.
    refetchInterval: 30_000,
  })

/** Users whose name contains the text; for administrators. */
export const usersFoundQuery = (search: string) =>
  queryOptions({
    queryKey: ['users', 'found', search],
    queryFn: ({ signal }) =>
      api.GET('/api/users', { query: { limit: 20, ...(search && { search }) }, signal }),
    select: ({ users }) => users,
    placeholderData: keepPreviousData,
  })
