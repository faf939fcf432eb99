import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'

/** Pending transfers of one domain, or all visible ones; newest first. */
export const pendingTransfersQuery = (domainId?: string) =>
  queryOptions({
    queryKey: ['transfers', domainId ?? null],
    queryFn: ({ signal }) =>
      api.GET('/api/domains/transfers', {
        query: { status: 'pending', limit: 100, ...(domainId !== undefined && { domainId }) },
        signal,
      }),
    select: ({ transfers }) => transfers,
  })
