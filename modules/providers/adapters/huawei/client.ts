import { Type, type Static } from '@sinclair/typebox'
import type { ProviderErrorKind } from '../../contract.ts'
import { isCode, type Answer, type Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'

/** Part of every list: the address of the next page, and the number of items on all pages. */
export const RawPage = Type.Object({
  links: Type.Optional(Type.Object({ next: Type.Optional(Type.Union([Type.String(), Type.Null()])) })),
  metadata: Type.Optional(Type.Object({ total_count: Type.Optional(Type.Integer()) })),
})

export const RawZone = Type.Object({
  id: Type.String(),
  /** With the final dot. */
  name: Type.String(),
  status: Type.String(),
})

export type RawZone = Static<typeof RawZone>

const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const RawSet = Type.Object({
  id: Type.String(),
  /** With the final dot. */
  name: Type.String(),
  type: Type.String(),
  ttl: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  /** Presentation data; an alias has none. */
  records: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  status: Type.String(),
  description: Text,
  line: Text,
  weight: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  tags: Type.Optional(Type.Unknown()),
  alias_target: Type.Optional(Type.Unknown()),
})

export type RawSet = Static<typeof RawSet>

/** The set was created or deleted by others in the meantime. */
export const isOutdated = (error: unknown): boolean =>
  isCode(error, 'DNS.0312', 'DNS.0335', 'DNS.0313', 'DNS.0004')

const KINDS: Record<string, ProviderErrorKind> = {
  'DNS.0004': 'not_found',
  'DNS.0005': 'auth',
  'DNS.0013': 'forbidden',
  'DNS.0014': 'rate_limited',
  'DNS.0021': 'locked',
  'DNS.0302': 'not_found',
  'DNS.0312': 'conflict',
  'DNS.0313': 'not_found',
  'DNS.0335': 'conflict',
  'DNS.0403': 'quota',
  'DNS.0404': 'quota',
}

/** The code tells what a failure means; the gateway in front of the API uses other fields. */
export function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const code = body['code'] ?? body['error_code']
  const reason = body['message'] ?? body['error_msg']
  if (typeof code !== 'string') return undefined
  const kind = KINDS[code]
  return { ...(kind && { kind }), code, ...(typeof reason === 'string' && { reason }) }
}
