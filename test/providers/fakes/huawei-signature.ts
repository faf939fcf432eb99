import { createHash, createHmac } from 'node:crypto'

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

export interface SignedBySdkHmac {
  secret: string
  method: string
  path: string
  query: URLSearchParams
  headers: NodeJS.Dict<string | string[]>
  /** The names of the headers that are signed, in order. */
  signed: string[]
  body: string | Uint8Array
}

/** The signature of a request by SDK-HMAC-SHA256. */
export function sdkHmacSignature(request: SignedBySdkHmac): string {
  const { secret, method, path, query, headers, signed, body } = request
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const pairs = [...query].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted()
  // The path ends in a slash here, also where it doesn't in the request.
  const signedPath = path.endsWith('/') ? path : `${path}/`
  const parts = [method, signedPath, pairs.join('&'), lines, signed.join(';'), sha256(body)]
  const text = `SDK-HMAC-SHA256\n${String(headers['x-sdk-date'])}\n${sha256(parts.join('\n'))}`
  return createHmac('sha256', secret).update(text).digest('hex')
}
