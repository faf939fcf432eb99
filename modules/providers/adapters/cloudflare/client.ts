import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, isCode, type ApiFailure, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The API of Cloudflare, version 4 (https://developers.cloudflare.com/api/). */
export const openApi = ({ apiToken, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'Cloudflare',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [apiToken],
      authenticate: () => ({ authorization: `Bearer ${apiToken}` }),
      explain,
    },
    context,
  )

/** The result of a call. */
export const Result = <S extends TSchema>(result: S) => Type.Object({ result })

/** A page of a list. */
export const Page = <S extends TSchema>(item: S) =>
  Type.Object({
    result: Type.Array(item),
    result_info: Type.Object({
      total_pages: Type.Optional(Type.Integer()),
      total_count: Type.Optional(Type.Integer()),
    }),
  })

export const RawZone = Type.Object({
  id: Type.String(),
  name: Type.String(),
  status: Type.Optional(Type.String()),
  paused: Type.Optional(Type.Boolean()),
  type: Type.Optional(Type.String()),
  name_servers: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  permissions: Type.Optional(Type.Array(Type.String())),
})

export type RawZone = Static<typeof RawZone>

/** Records were written meanwhile that this one did not know: an identical one is there, or one is gone. */
export const isOutdated = (error: unknown): error is ApiFailure => isCode(error, '81044', '81057', '81058')

const KINDS: Record<number, ProviderErrorKind> = {
  1000: 'auth',
  1001: 'not_found',
  1061: 'conflict',
  6003: 'auth',
  7003: 'not_found',
  9103: 'auth',
  9106: 'auth',
  9109: 'auth',
  10100: 'rate_limited',
  81044: 'not_found',
  81045: 'quota',
  81057: 'conflict',
  81058: 'conflict',
}

/** What Cloudflare means: by the first of its codes, of which one may come with several statuses. */
function explain({ status, body }: Answer): Failure | undefined {
  const errors = errorsOf(body)
  if (status < 300 && errors.length === 0) return undefined
  if (status === 429) return {}
  const [first] = errors
  // What is no answer of the API is judged by its status.
  if (first === undefined) return status === 403 && isObject(body) ? { kind: 'auth' } : {}
  const kind = KINDS[first.code] ?? (status < 300 ? 'rejected' : undefined)
  const code = String(first.code)
  if (kind === 'not_found' && first.code !== 81044)
    return { kind, code, message: 'Cloudflare does not have this zone, or does not show it to this token' }
  // Of a token that is wrong it is said, too, where rights are asked about first.
  if (first.code === 10_000)
    return { kind: 'forbidden', code, message: 'Cloudflare does not allow this with this token' }
  return { ...(kind && { kind }), code, reason: errors.map(({ message }) => message).join('; ') }
}

/** Each with what it follows from. */
function errorsOf(body: unknown): { code: number; message: string }[] {
  if (!isObject(body) || !Array.isArray(body['errors'])) return []
  return body['errors'].filter(isObject).map(({ code, message, error_chain: chain }) => ({
    code: Number(code),
    message: [message, ...(Array.isArray(chain) ? chain.filter(isObject).map((one) => one['message']) : [])]
      .filter((text) => typeof text === 'string')
      .join(': '),
  }))
}
