import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The API of DigitalOcean, version 2 (https://docs.digitalocean.com/reference/api/). */
export const openApi = ({ apiToken, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'DigitalOcean',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [apiToken],
      authenticate: () => ({ authorization: `Bearer ${apiToken}` }),
      explain,
    },
    context,
  )

/** A page of a list. */
export const Page = <P extends TProperties>(list: P) =>
  Type.Object({ ...list, meta: Type.Object({ total: Type.Integer() }) })

export const RawDomain = Type.Object({ name: Type.String() })

const Number = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))

/** A record as DigitalOcean has it. */
export const RawRecord = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  /** Relative to the domain; `@` for the apex. */
  name: Type.String(),
  data: Type.Union([Type.String(), Type.Null()]),
  priority: Number,
  port: Number,
  weight: Number,
  flags: Number,
  tag: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  ttl: Type.Integer(),
})

export type RawRecord = Static<typeof RawRecord>

/** What DigitalOcean means is its status; it says why in `message`. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || typeof body['message'] !== 'string') return undefined
  return { reason: body['message'], ...(typeof body['id'] === 'string' && { code: body['id'] }) }
}
