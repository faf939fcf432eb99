import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { Answer, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { kindsOf } from '../../client/kinds.ts'

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

const kindOf = kindsOf({
  auth: '1000 6003 9103 9106 9109',
  not_found: '1001 7003 81044',
  conflict: '1061 81057 81058',
  rate_limited: '10100',
  quota: '81045',
})

/** The first code tells what a failure means; statuses vary for the same code. */
export function explain({ status, body }: Answer): Failure | undefined {
  const errors = errorsOf(body)
  if (status < 300 && errors.length === 0) return undefined
  if (status === 429) return {}
  const [first] = errors
  // Without codes, the status tells.
  if (first === undefined) return status === 403 && isObject(body) ? { kind: 'auth' } : {}
  const kind = kindOf(String(first.code)) ?? (status < 300 ? 'rejected' : undefined)
  const code = String(first.code)
  if (kind === 'not_found' && first.code !== 81044)
    return { kind, code, message: 'Cloudflare does not have this zone, or does not show it to this token' }
  // Also the code for a wrong token, where Cloudflare checks permissions first.
  if (first.code === 10_000)
    return { kind: 'forbidden', code, message: 'Cloudflare does not allow this with this token' }
  return { ...(kind && { kind }), code, reason: errors.map(({ message }) => message).join('; ') }
}

/** Each error with its causes. */
function errorsOf(body: unknown): { code: number; message: string }[] {
  if (!isObject(body) || !Array.isArray(body['errors'])) return []
  return body['errors'].filter(isObject).map(({ code, message, error_chain: chain }) => ({
    code: Number(code),
    message: [message, ...(Array.isArray(chain) ? chain.filter(isObject).map((one) => one['message']) : [])]
      .filter((text) => typeof text === 'string')
      .join(': '),
  }))
}
