import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The API of Linode, version 4 (https://techdocs.akamai.com/linode-api/reference/). */
export const openApi = ({ apiToken, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'Linode',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [apiToken],
      authenticate: () => ({ authorization: `Bearer ${apiToken}` }),
      explain,
    },
    context,
  )

/** A page of a list. */
export const Page = <S extends TSchema>(item: S) =>
  Type.Object({ data: Type.Array(item), pages: Type.Integer(), results: Type.Integer() })

export const RawDomain = Type.Object({
  id: Type.Integer(),
  domain: Type.String(),
  /** `master` or `slave`. */
  type: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
})

export type RawDomain = Static<typeof RawDomain>

const Number = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

/** A record as Linode has it. */
export const RawRecord = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  /** Relative to the domain; empty for the apex. */
  name: Type.String(),
  target: Type.String(),
  priority: Number,
  weight: Number,
  port: Number,
  tag: Text,
  /** 0: Linode's default. */
  ttl_sec: Type.Integer(),
})

export type RawRecord = Static<typeof RawRecord>

/** What Linode means is its status; it says why, and of which field, in `errors`. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || !Array.isArray(body['errors'])) return undefined
  if (status === 404) return { message: 'Linode does not have this domain in this account' }
  return { reason: body['errors'].filter(isObject).map(reasonOf).join('; ') }
}

const reasonOf = ({ field, reason }: Record<string, unknown>): string =>
  [field, reason].filter((text) => typeof text === 'string').join(': ')
