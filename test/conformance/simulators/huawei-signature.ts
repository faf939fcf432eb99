import { hmac256, percentEncoded, sha256 } from './digests.ts'

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
  const pairs = [...query]
    .map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`)
    .toSorted()
  // The path ends in a slash here, also where it doesn't in the request.
  const signedPath = path.endsWith('/') ? path : `${path}/`
  const parts = [method, signedPath, pairs.join('&'), lines, signed.join(';'), sha256(body)]
  const text = `SDK-HMAC-SHA256\n${String(headers['x-sdk-date'])}\n${sha256(parts.join('\n'))}`
  return hmac256(secret, text).toString('hex')
}
