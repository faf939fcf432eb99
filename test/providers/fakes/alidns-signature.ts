import { createHash, createHmac } from 'node:crypto'

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

const canonicalQuery = (params: Record<string, string>) =>
  Object.keys(params)
    .toSorted()
    .map((key) => `${encode(key)}=${encode(params[key] ?? '')}`)
    .join('&')

/** What an RPC call is signed by; `params`: all of query and form, but the signature. */
export const rpcText = (method: string, params: Record<string, string>): string =>
  `${method}&%2F&${encode(canonicalQuery(params))}`

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
  const hash = createHash('sha256').update(parts.join('\n')).digest('hex')
  return createHmac('sha256', secret).update(`ACS3-HMAC-SHA256\n${hash}`).digest('hex')
}
