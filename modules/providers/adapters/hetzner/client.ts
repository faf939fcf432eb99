import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The Cloud API of Hetzner (https://docs.hetzner.cloud/reference/cloud#dns). */
export const openApi = ({ apiToken, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'Hetzner',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [apiToken],
      authenticate: () => ({ authorization: `Bearer ${apiToken}` }),
      explain,
    },
    context,
  )

/** A page of a list. */
export const Page = <P extends TProperties>(list: P) =>
  Type.Object({
    ...list,
    meta: Type.Object({
      pagination: Type.Object({
        last_page: Type.Union([Type.Integer(), Type.Null()]),
        total_entries: Type.Union([Type.Integer(), Type.Null()]),
      }),
    }),
  })

export const RawZone = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  /** That of all sets without one of their own. */
  ttl: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  mode: Type.Optional(Type.String()),
  authoritative_nameservers: Type.Optional(
    Type.Object({
      assigned: Type.Optional(Type.Array(Type.String())),
      delegation_status: Type.Optional(Type.String()),
    }),
  ),
})

export type RawZone = Static<typeof RawZone>

/** An RRset as Hetzner has it. */
export const RawRRset = Type.Object({
  /** Relative to the zone; `@` for the apex. */
  name: Type.String(),
  type: Type.String(),
  /** Null: that of the zone. */
  ttl: Type.Union([Type.Integer(), Type.Null()]),
  records: Type.Array(
    Type.Object({
      value: Type.String(),
      comment: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
})

export type RawRRset = Static<typeof RawRRset>

/** What Hetzner goes on with after its answer. */
export const RawAction = Type.Object({
  id: Type.Integer(),
  status: Type.String(),
  error: Type.Optional(Type.Union([Type.Object({ message: Type.Optional(Type.String()) }), Type.Null()])),
})

export type RawAction = Static<typeof RawAction>

/** By its code, where that says more than the status. */
const KINDS: Record<string, ProviderErrorKind> = {
  conflict: 'locked',
  locked: 'locked',
  protected: 'rejected',
  uniqueness_error: 'conflict',
  resource_limit_exceeded: 'quota',
}

/** What Hetzner means, by the code of its error. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || !isObject(body['error'])) return undefined
  const { code, message } = body['error']
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  if (code === 'not_found')
    return { code, message: 'Hetzner does not have this zone in the project of this token' }
  const kind = KINDS[code]
  return { code, reason: message, ...(kind !== undefined && { kind }) }
}
