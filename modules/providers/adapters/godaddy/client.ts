import { Type, type Static } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The API of GoDaddy, version 1 (https://developer.godaddy.com/doc/endpoint/domains). */
export const openApi = ({ apiKey, apiSecret, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'GoDaddy',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [apiKey, apiSecret],
      authenticate: () => ({ authorization: `sso-key ${apiKey}:${apiSecret}` }),
      explain,
    },
    context,
  )

export const RawDomain = Type.Object({
  domain: Type.String(),
  nameServers: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
})

export type RawDomain = Static<typeof RawDomain>

const Number = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
const Label = Type.Optional(Type.Union([Type.String(), Type.Null()]))

/** A record as GoDaddy has it. */
export const RawRecord = Type.Object({
  type: Type.String(),
  /** Relative to the domain, `@` for the apex; of SRV without service and protocol. */
  name: Type.String(),
  data: Type.String(),
  ttl: Type.Optional(Type.Integer()),
  priority: Number,
  weight: Number,
  port: Number,
  service: Label,
  protocol: Label,
})

export type RawRecord = Static<typeof RawRecord>

/** What GoDaddy means is its status; it says why in `message`, and of what in `fields`. */
function explain({ status, headers, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const { code, message, fields, retryAfterSec: wait } = body
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  if (status === 404) return { code, message: 'GoDaddy does not have this domain in this account' }
  if (status === 429 && typeof wait === 'number' && headers['retry-after'] === undefined)
    return { code, retryAfter: wait }
  const details = Array.isArray(fields) ? fields.filter(isObject).map(detailOf) : []
  const kind = code === 'DUPLICATE_RECORD' ? { kind: 'conflict' as const } : {}
  return { code, ...kind, reason: [message, ...details].join('; ') }
}

const detailOf = ({ path, message }: Record<string, unknown>): string =>
  [path, message].filter((text) => typeof text === 'string').join(' ')
