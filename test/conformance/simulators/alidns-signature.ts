import { createHmac } from 'node:crypto'
import { hmac256, percentEncoded, sha256 } from './digests.ts'

const canonicalQuery = (params: Record<string, string>) =>
  Object.keys(params)
    .toSorted()
    .map((key) => `${percentEncoded(key)}=${percentEncoded(params[key] ?? '')}`)
    .join('&')

/** What an RPC call is signed by; `params`: all of query and form, but the signature. */
export const rpcText = (method: string, params: Record<string, string>): string =>
  `${method}&%2F&${percentEncoded(canonicalQuery(params))}`

/** The signature of an RPC call by HMAC-SHA1. */
export const rpcSignature = (method: string, params: Record<string, string>, secret: string): string =>
  createHmac('sha1', `${secret}&`).update(rpcText(method, params)).digest('base64')

export interface SignedByAcs3 {
  method: string
  query: Record<string, string>
  headers: NodeJS.Dict<string | string[]>
  /** The names of the headers that are signed, in order. */
  signed: string[]
  secret: string
}

/** The signature of a call to `/` by ACS3-HMAC-SHA256; the body counts by its header `x-acs-content-sha256`. */
export function acs3Signature({ method, query, headers, signed, secret }: SignedByAcs3): string {
  const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`).join('')
  const parts = [method, '/', canonicalQuery(query), lines, signed.join(';'), headers['x-acs-content-sha256']]
  return hmac256(secret, `ACS3-HMAC-SHA256\n${sha256(parts.join('\n'))}`).toString('hex')
}
