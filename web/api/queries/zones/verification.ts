import { queryOptions } from '@tanstack/react-query'
import { api } from '../../client.ts'

/** Polling interval while name servers are asked, in milliseconds. */
const ASKING_MS = 2000

/** Whether the name servers serve a change; polled until the verification ends. */
export const verificationQuery = (id: string, changeId: string) =>
  queryOptions({
    queryKey: ['changes', id, 'verification', changeId],
    queryFn: ({ signal }) =>
      api.GET('/api/domains/{id}/changes/{changeId}/verification', { path: { id, changeId }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'waiting' ? ASKING_MS : false),
  })
