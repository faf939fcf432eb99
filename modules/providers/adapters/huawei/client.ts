import { Type, type Static } from '@sinclair/typebox'
import { isCode, type Answer, type Failure, type FinishedRequest } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { kindsOf } from '../../client/kinds.ts'
import { basicTime, signed } from '../../client/signing.ts'
import type { Credentials } from './index.ts'

/**
 * The headers that sign a request for 15 minutes (https://support.huaweicloud.com/intl/en-us/devg-apisign/api-sign-algorithm.html).
 * `now`: milliseconds since 1970; `base`: the path of the API's own address.
 */
export function sign(
  request: FinishedRequest,
  { accessKey, secretKey }: Pick<Credentials, 'accessKey' | 'secretKey'>,
  { now, base = '' }: { now: number; base?: string },
): Record<string, string> {
  const date = basicTime(now)
  const { host = '', 'content-type': type } = request.headers
  const authorization = signed(request, {
    algorithm: 'SDK-HMAC-SHA256',
    path: request.url.pathname.slice(base.length).replace(/\/?$/, '/'),
    headers: { ...(type !== undefined && { 'content-type': type }), host, 'x-sdk-date': date },
    stamps: [date],
    secret: secretKey,
    credential: `Access=${accessKey}`,
  })
  return { 'x-sdk-date': date, authorization }
}

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

const kindOf = kindsOf({
  not_found: 'DNS.0004 DNS.0302 DNS.0313',
  auth: 'DNS.0005',
  forbidden: 'DNS.0013',
  rate_limited: 'DNS.0014',
  locked: 'DNS.0021',
  conflict: 'DNS.0312 DNS.0335',
  quota: 'DNS.0403 DNS.0404',
})

/** The code tells what a failure means; the gateway in front of the API uses other fields. */
export function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const code = body['code'] ?? body['error_code']
  const reason = body['message'] ?? body['error_msg']
  if (typeof code !== 'string') return undefined
  const kind = kindOf(code)
  return { ...(kind && { kind }), code, ...(typeof reason === 'string' && { reason }) }
}
