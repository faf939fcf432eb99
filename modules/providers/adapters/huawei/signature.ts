import { createHash, createHmac } from 'node:crypto'
import type { FinishedRequest } from '../../client/client.ts'

const ALGORITHM = 'SDK-HMAC-SHA256'

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

/**
 * The headers that sign a request (SDK-HMAC-SHA256, https://support.huaweicloud.com/intl/en-us/devg-apisign/api-sign-algorithm.html).
 * `now`: milliseconds since 1970; the signature is valid for 15 minutes. `base`: the path of the API's own address.
 */
export function sign(
  { method, url, headers, body }: FinishedRequest,
  { accessKey, secretKey }: { accessKey: string; secretKey: string },
  { now, base = '' }: { now: number; base?: string },
): Record<string, string> {
  const date = new Date(now).toISOString().replace(/[:-]|\.\d+/g, '')
  const signed = Object.entries({ ...headers, 'x-sdk-date': date })
    .filter(([name]) => ['content-type', 'host', 'x-sdk-date'].includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('')
  // Both are already encoded as in RFC 3986.
  const path = url.pathname.slice(base.length).replace(/\/?$/, '/')
  const query = url.search.slice(1).split('&').sort().join('&')
  const canonical = [method, path, query, lines, names, hash(body)].join('\n')
  const signature = createHmac('sha256', secretKey)
    .update([ALGORITHM, date, hash(canonical)].join('\n'))
    .digest('hex')
  return {
    'x-sdk-date': date,
    authorization: `${ALGORITHM} Access=${accessKey}, SignedHeaders=${names}, Signature=${signature}`,
  }
}
