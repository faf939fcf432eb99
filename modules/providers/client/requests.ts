import type { TSchema } from '@sinclair/typebox'

type Value = string | number | boolean

/** A call. At most one of `json`, `form`, `text` and `bytes` is set. */
export interface Call {
  /** Default: GET for reads, POST for writes. */
  method?: string
  /** Undefined values are left out; each value of a list is sent. */
  query?: Record<string, Value | readonly Value[] | undefined>
  headers?: Record<string, string>
  json?: unknown
  form?: Record<string, Value | undefined>
  text?: string
  bytes?: Uint8Array
  /** For `text` and `bytes`; the others have their own. */
  contentType?: string
  /** Expected answer; `none`: any successful one; `empty`: success without a body. Default: `json`. */
  as?: 'json' | 'xml' | 'text' | 'bytes' | 'none' | 'empty'
  /** Schema of the JSON, or of the result of `parseXml`; any other answer is an error. */
  schema?: TSchema
  /** Expected status. Default: any 2xx. */
  status?: number
  /** The answer can be as large as a whole zone. */
  large?: boolean
  /** The provider's rate limit for this call is one of the zone, which this names. */
  zone?: string
}

/** A request before authentication. Header names are in lower case. */
export interface FinishedRequest {
  method: string
  url: URL
  headers: Record<string, string>
  /** Empty without a body. */
  body: Uint8Array
}

const ACCEPTED: Record<NonNullable<Call['as']>, string> = {
  json: 'application/json',
  none: 'application/json',
  empty: 'application/json',
  xml: 'application/xml, text/xml',
  text: '*/*',
  bytes: '*/*',
}

/** `base` has no trailing slash; a complete URL as `path` must have the same host. */
export function finish(base: string, path: string, method: string, call: Call): FinishedRequest | null {
  const url = URL.parse(/^https?:/.test(path) ? path : base + path)
  // Credentials must not go to another host.
  if (url === null || url.origin !== new URL(base).origin) return null
  const query = Object.entries(call.query ?? {}).flatMap(([name, value]) =>
    valuesOf(value).map((one) => `${encode(name)}=${encode(String(one))}`),
  )
  if (query.length > 0) url.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...query].join('&')
  const [type, body] = bodyOf(call)
  const headers = {
    host: url.host,
    accept: ACCEPTED[call.as ?? 'json'],
    ...(type !== null && { 'content-type': type }),
    ...lowerCase(call.headers ?? {}),
  }
  return { method, url, headers, body }
}

function bodyOf({ json, form, text, bytes, contentType }: Call): [type: string | null, body: Uint8Array] {
  if (json !== undefined) return ['application/json', Buffer.from(JSON.stringify(json))]
  if (form !== undefined) return ['application/x-www-form-urlencoded', Buffer.from(encodeForm(form))]
  if (text !== undefined) return [contentType ?? 'text/plain; charset=utf-8', Buffer.from(text)]
  if (bytes !== undefined) return [contentType ?? 'application/octet-stream', bytes]
  return [null, new Uint8Array()]
}

function encodeForm(form: Record<string, Value | undefined>): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(form))
    if (value !== undefined) fields.append(name, String(value))
  return fields.toString()
}

/** RFC 3986 section 2.3, as required for signatures. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const valuesOf = (value: Value | readonly Value[] | undefined): readonly Value[] => {
  if (value === undefined) return []
  return typeof value === 'object' ? value : [value]
}

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
