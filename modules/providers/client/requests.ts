import type { TSchema } from '@sinclair/typebox'

type Value = string | number | boolean

/** What is called. At most one of `json`, `form`, `text` and `bytes` is sent. */
export interface Call {
  /** Default: GET for what reads, POST for what writes. */
  method?: string
  /** Those that are undefined are left out; of a list each is said. */
  query?: Record<string, Value | readonly Value[] | undefined>
  headers?: Record<string, string>
  json?: unknown
  form?: Record<string, Value | undefined>
  text?: string
  bytes?: Uint8Array
  /** Of `text` and `bytes`; the others have theirs. */
  contentType?: string
  /**
   * What of the answer is wanted; `none`: it only has to succeed; `empty`: it succeeds without a body. Default: `json`.
   */
  as?: 'json' | 'xml' | 'text' | 'bytes' | 'none' | 'empty'
  /** What the JSON, or what `parseXml` makes of the XML, must be: of any other form it is no answer. */
  schema?: TSchema
  /** The status of success. Default: all of 2xx. */
  status?: number
  /** The answer may be as large as a whole zone. */
  large?: boolean
}

/** A request as it is sent, but for what authenticates it. Names of headers are in lower case. */
export interface FinishedRequest {
  method: string
  url: URL
  headers: Record<string, string>
  /** Empty when there is none. */
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

/** `base` is without a final slash; a complete address as `path` must be below the same host. */
export function finish(base: string, path: string, method: string, call: Call): FinishedRequest | null {
  const url = URL.parse(/^https?:/.test(path) ? path : base + path)
  // Another host must not get what authenticates us here.
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

/** RFC 3986 section 2.3, as those want it who sign it. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const valuesOf = (value: Value | readonly Value[] | undefined): readonly Value[] => {
  if (value === undefined) return []
  return typeof value === 'object' ? value : [value]
}

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
