import { Type, type Static } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The API of deSEC (https://desec.readthedocs.io/). */
export const openApi = ({ apiToken, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'deSEC',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [apiToken],
      authenticate: () => ({ authorization: `Token ${apiToken}` }),
      explain,
    },
    context,
  )

export const RawDomain = Type.Object({ name: Type.String() })

/** With the keys that the zone is signed by, and theirs that the zone above shall have. */
export const RawSignedDomain = Type.Object({
  keys: Type.Array(Type.Object({ ds: Type.Optional(Type.Array(Type.String())) })),
})

export const RawDomains = Type.Array(RawDomain)

/** An RRset as deSEC has it. */
export const RawRRset = Type.Object({
  /** Relative to the domain; empty for the apex. */
  subname: Type.String(),
  type: Type.String(),
  ttl: Type.Integer(),
  /** Presentation data, in no order. */
  records: Type.Array(Type.String()),
})

export const RawRRsets = Type.Array(RawRRset)

export type RawRRset = Static<typeof RawRRset>

/** What deSEC means where its status alone does not say it. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300) return undefined
  const reason = reasonOf(body)
  if (reason === '') return {}
  if (status === 403 && /\blimit\b/i.test(reason)) return { kind: 'quota', reason }
  if (status === 404) return { message: 'deSEC does not have this domain in this account' }
  return { reason }
}

/** All that is said in the answer, at whatever depth: of several RRsets there is a list of what is wrong with each. */
function reasonOf(body: unknown): string {
  const texts = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    if (Array.isArray(value)) return value.flatMap(texts)
    return isObject(value) ? Object.values(value).flatMap(texts) : []
  }
  return [...new Set(typeof body === 'string' ? [] : texts(body))].join(' ')
}
