import { queryOptions } from '@tanstack/react-query'
import { api } from '../client.ts'
import { withFreshSignIn } from '../session/fresh-sign-in.ts'
import type { ConsoleApi, Schemas } from '../schema.d.ts'

type ListAnswer = ConsoleApi['/api/auth/me/tokens']['GET']['answer']
export type Token = ListAnswer['tokens'][number]
export interface NewToken {
  name: string
  permissions: Schemas['TokenPermission'][]
  restrictions: Schemas['TokenRestrictions'] | null
  /** Null: never; missing: as late as the service allows. */
  expiresAt?: string | null
}

/** The machine account that holds the tokens; null for one's own. */
export type TokenHolder = { machineId: string | null }

export const tokensQuery = ({ machineId }: TokenHolder) =>
  queryOptions({
    queryKey: ['account', 'tokens', machineId],
    queryFn: ({ signal }) =>
      machineId === null
        ? api.GET('/api/auth/me/tokens', { signal })
        : api.GET('/api/users/{id}/tokens', { path: { id: machineId }, signal }),
  })

/** Creates a token and returns it; it is shown only once. */
export const createToken = ({ machineId }: TokenHolder, token: NewToken): Promise<string> =>
  withFreshSignIn(async (password) => {
    const body = { ...token, ...password }
    const made =
      machineId === null
        ? await api.POST('/api/auth/me/tokens', { body })
        : await api.POST('/api/users/{id}/tokens', { path: { id: machineId }, body })
    return made.token
  })

/** Rotates a token; the old one stays valid for an hour. `expiresAt` sets a new expiry date. */
export const rotateToken = (
  { machineId }: TokenHolder,
  id: string,
  change: { expiresAt?: string | null },
): Promise<string> =>
  withFreshSignIn(async (password) => {
    const body = { ...change, ...password }
    const made =
      machineId === null
        ? await api.POST('/api/auth/me/tokens/{id}/rotate', { path: { id }, body })
        : await api.POST('/api/users/{id}/tokens/{tokenId}/rotate', {
            path: { id: machineId, tokenId: id },
            body,
          })
    return made.token
  })

export const revokeToken = ({ machineId }: TokenHolder, id: string) =>
  machineId === null
    ? api.DELETE('/api/auth/me/tokens/{id}', { path: { id } })
    : api.DELETE('/api/users/{id}/tokens/{tokenId}', { path: { id: machineId, tokenId: id } })
