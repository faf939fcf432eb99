import { Type, type Static } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The LiveDNS API of Gandi, version 5 (https://api.gandi.net/docs/livedns/). */
export const openApi = ({ apiToken, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'Gandi',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [apiToken],
      authenticate: () => ({ authorization: `Bearer ${apiToken}` }),
      explain,
    },
    context,
  )

export const RawDomain = Type.Object({ fqdn: Type.String() })

export type RawDomain = Static<typeof RawDomain>

/** An RRset as Gandi has it. */
export const RawRRset = Type.Object({
  /** Relative to the domain; `@` for the apex. */
  rrset_name: Type.String(),
  rrset_type: Type.String(),
  rrset_ttl: Type.Integer(),
  /** Presentation data, in which names without a final dot are relative to the domain. */
  rrset_values: Type.Array(Type.String()),
})

export type RawRRset = Static<typeof RawRRset>

/** The set is missing, in a domain that is there. */
export const NO_SUCH_SET = 'dns-record'

/** What Gandi means is its status; what it is about, and why, it says in one of two ways. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const { object, message, errors } = body
  if (status === 404 && object !== NO_SUCH_SET)
    return { message: 'Gandi does not have this domain, or does not show it to this token' }
  const code = typeof object === 'string' ? { code: object } : {}
  if (typeof message === 'string') return { ...code, reason: message }
  return Array.isArray(errors) ? { reason: errors.filter(isObject).map(reasonOf).join('; ') } : undefined
}

const reasonOf = ({ name, description }: Record<string, unknown>): string =>
  [name, description].filter((text) => typeof text === 'string' && text !== '').join(': ')
