import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The API of Vultr, version 2 (https://www.vultr.com/api/#tag/dns). */
export const openApi = ({ apiKey, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'Vultr',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [apiKey],
      authenticate: () => ({ authorization: `Bearer ${apiKey}` }),
      explain,
    },
    context,
  )

/** A page of a list. */
export const Page = <P extends TProperties>(list: P) =>
  Type.Object({
    ...list,
    // Empty: it is the last.
    meta: Type.Object({ links: Type.Object({ next: Type.Union([Type.String(), Type.Null()]) }) }),
  })

export const RawDomain = Type.Object({ domain: Type.String() })

/** A record as Vultr has it. */
export const RawRecord = Type.Object({
  id: Type.String(),
  type: Type.String(),
  /** Relative to the domain; empty for the apex. */
  name: Type.String(),
  /** Of SRV `weight port target`. */
  data: Type.String(),
  /** -1: none. */
  priority: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  ttl: Type.Integer(),
})

export type RawRecord = Static<typeof RawRecord>

/** What Vultr means is its status; it says why in `error`. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || typeof body['error'] !== 'string') return undefined
  return { reason: body['error'] }
}
