import { createHash, createHmac } from 'node:crypto'
import type { FinishedRequest } from './requests.ts'

/* Signed requests, in the scheme that AWS introduced and other clouds adopted with small differences. */

interface Scheme {
  /** Name of the algorithm. */
  algorithm: string
  /** The path that the signature covers. `/` where the service does not see the path of a proxy. */
  path?: string
  /** Headers that the signature covers. */
  headers: Record<string, string>
  /** Lines between the algorithm and the hash of the request, such as the time. */
  stamps?: readonly string[]
  secret: string
  /** What the key for a day and a service is derived from, step by step. */
  scope?: readonly string[]
  /** Names the key in the header. */
  credential: string
  /** Between the parts of the header. */
  separator?: string
}

/** The value of the `Authorization` header. */
export function signed(
  { method, url, body }: Pick<FinishedRequest, 'method' | 'url' | 'body'>,
  scheme: Scheme,
): string {
  const { algorithm, path = '/', stamps = [], secret, scope = [], credential, separator = ', ' } = scheme
  const headers = Object.entries(scheme.headers).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = headers.map(([name]) => name).join(';')
  const lines = headers.map(([name, value]) => `${name}:${value}\n`).join('')
  // Already encoded as in RFC 3986.
  const query = url.search.slice(1).split('&').sort().join('&')
  const canonical = [method, path, query, lines, names, sha256(body)].join('\n')
  const text = [algorithm, ...stamps, sha256(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>((before, part) => hmac(before, part), secret)
  const signature = hmac(key, text).toString('hex')
  return `${algorithm} ${[credential, `SignedHeaders=${names}`, `Signature=${signature}`].join(separator)}`
}

/** The hash in hexadecimal. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

/** A time in the basic format of ISO 8601, such as `20250329T180937Z`. `now`: milliseconds since 1970. */
export const basicTime = (now: number): string => new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
