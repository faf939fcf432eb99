import { queryOptions } from '@tanstack/react-query'
import { api } from '../../client.ts'
import type { Schemas } from '../../schema.d.ts'

/** Changes that arrive at a mirror are announced by no event. */
const CATCHING_UP_MS = 3_000
const LOOK_MS = 30_000

const isWaiting = ({ state }: Schemas['Mirror']) => state === 'behind' || state === 'failed'

/** The mirrors of a domain, and the name servers of its own provider. */
export const mirrorsQuery = (id: string) =>
  queryOptions({
    queryKey: ['mirrors', id, 'list'],
    queryFn: ({ signal }) => api.GET('/api/domains/{id}/mirrors', { path: { id }, signal }),
    refetchInterval: ({ state }) => (state.data?.mirrors.some(isWaiting) ? CATCHING_UP_MS : LOOK_MS),
  })

/** To which name servers the parent zone delegates now; each call asks it. Promoting swaps whose servers a mirror has. */
export const delegationQuery = (
  id: string,
  { id: mirrorId = '', providerConfigId }: Partial<Schemas['Mirror']>,
) =>
  queryOptions({
    queryKey: ['mirror-delegation', mirrorId, providerConfigId],
    queryFn: ({ signal }) =>
      api.GET('/api/domains/{id}/mirrors/{mirrorId}/delegation', { path: { id, mirrorId }, signal }),
    refetchInterval: LOOK_MS,
    refetchOnWindowFocus: false,
  })
