import {
  OutboundError,
  type Http,
  type HttpRequest,
  type HttpResponse,
} from '../../../plugins/outbound/http.ts'
import { failed } from '../errors.ts'

/** Total for all calls of one flow, so that a slow identity provider doesn't hold the browser. */
const PASSAGE_MS = 5_000

const MAX_BYTES = 1024 * 1024

/** Calls to identity providers: guarded, without redirects, with one time budget for all of them. */
export interface Calls {
  /** Rejects with IdentityError without an answer. */
  request(request: Omit<HttpRequest, 'timeoutMs' | 'maxBytes' | 'signal'>): Promise<HttpResponse>
  /** The same for an answer that must be a JSON object with a 2xx status. */
  json(request: Omit<HttpRequest, 'timeoutMs' | 'maxBytes' | 'signal'>): Promise<JsonObject>
}

export type JsonObject = Record<string, unknown>

export function createCalls(http: Http, budgetMs = PASSAGE_MS): Calls {
  const end = Date.now() + budgetMs
  const request: Calls['request'] = async (options) => {
    try {
      const timeoutMs = Math.max(end - Date.now(), 1)
      return await http.request({ ...options, timeoutMs, maxBytes: MAX_BYTES })
    } catch (error) {
      if (error instanceof OutboundError) throw failed(error.message, error)
      throw error
    }
  }
  return {
    request,
    json: async (options) => {
      const { status, body } = await request({
        ...options,
        headers: { accept: 'application/json', ...options.headers },
      })
      if (status < 200 || status > 299) throw failed(`${where(options.url)} answered ${status}`)
      const parsed = parseObject(body)
      if (parsed === null) throw failed(`${where(options.url)} did not return a JSON object`)
      return parsed
    },
  }
}

/** Returns the address for messages, without the query. */
export function where(url: string): string {
  const parsed = URL.parse(url)
  return parsed ? `${parsed.host}${parsed.pathname}` : 'the address'
}

/** Returns the object, or null for any other text. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns whether codes, secrets and tokens may be sent there: with https, or within the machine (RFC 6749
 * sections 3.1.2.1 and 3.2 require TLS). The outbound client checks OUTBOUND_ALLOW for loopback addresses as
 * well.
 */
export function isSecure(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.username !== '' || parsed.password !== '' || parsed.hash !== '') return false
  return parsed.protocol === 'https:' || isLoopbackHttp(url)
}

export function isLoopbackHttp(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed !== null && parsed.protocol === 'http:' && LOOPBACK.test(parsed.hostname)
}
