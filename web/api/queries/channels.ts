import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import type { Schemas } from '../schema.d.ts'

export const channelsQuery = queryOptions({
  queryKey: ['channels', 'list'],
  queryFn: ({ signal }) => api.GET('/api/notifications/configs', { signal }),
  select: ({ configs }) => configs,
})

/** Kinds of channels with their fields, and all events. */
export const channelKindsQuery = queryOptions({
  queryKey: ['channel-kinds'],
  queryFn: ({ signal }) => api.GET('/api/notifications/channels', { signal }),
  staleTime: Infinity,
})

/** Polled, as no event announces a delivered message. */
const LOOK_MS = 10_000

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['channels', 'one', id],
    queryFn: ({ signal }) => api.GET('/api/notifications/configs/{id}', { path: { id }, signal }),
    // Keep the status of the last message consistent with the log below it.
    refetchInterval: LOOK_MS,
  })

export const DELIVERIES_LIMIT = 20

/** Messages of a channel, newest first. */
export const deliveriesQuery = (id: string, status: Schemas['DeliveryStatus'] | undefined, page: number) =>
  queryOptions({
    queryKey: ['channels', 'deliveries', id, { status, page }],
    queryFn: ({ signal }) =>
      api.GET('/api/notifications/configs/{id}/deliveries', {
        path: { id },
        query: { page, limit: DELIVERIES_LIMIT, ...(status && { status }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_MS,
  })
