import { OutboundError, type HttpResponse } from '../../../../plugins/http.ts'
import { retryAfterOf } from '../../../../plugins/retry-after.ts'
import { ProviderError, tooLarge, type AdapterContext, type ProviderErrorKind } from '../../contract.ts'
import { hasMoreValues } from '../../large-json.ts'
import { stateOf, type ServerState } from './server-state.ts'

interface Credentials {
  apiUrl: string
  apiKey: string
  serverId: string
  /** Neither: no proxy asks for a password. */
  proxyUser?: string
  proxyPassword?: string
}

interface CallOptions {
  body?: unknown
  /** The answer may be as large as a whole zone. */
  large?: boolean
}

const TIMEOUT_MS = 10_000
const LARGE_TIMEOUT_MS = 30_000
// One alone in its RRset takes about 135 bytes and 9 values, a long TXT 500 bytes: so much for each of the largest zone.
const BYTES_A_RECORD = 256
const VALUES_A_RECORD = 16
const MAX_REASON = 300

/** PowerDNS itself says that a write failed: it is over, but what it left behind is to be seen. */
export class ServerFailure extends ProviderError {}

/** The HTTP API of one PowerDNS server (https://doc.powerdns.com/authoritative/http-api/). */
export class Client {
  readonly #baseUrl: string
  readonly #apiKey: string
  readonly #proxyHeaders: Record<string, string>
  readonly #context: AdapterContext

  constructor(credentials: Credentials, context: AdapterContext) {
    this.#baseUrl = serverUrl(credentials.apiUrl, credentials.serverId)
    this.#apiKey = credentials.apiKey
    this.#proxyHeaders = basicAuthentication(credentials)
    this.#context = context
  }

  /** What is shared with the other adapters of this server. */
  get state(): ServerState {
    return stateOf(this.#context.http, this.#baseUrl)
  }

  get maxZoneRecords(): number {
    return this.#context.maxZoneRecords
  }

  /** The JSON of the answer. Rejects with ProviderError. */
  async get(path: string, options: CallOptions = {}): Promise<unknown> {
    const response = await this.#call('GET', path, options)
    if (response.status !== 200) throw this.#failure(path, response, false)
    const value = options.large === true ? await this.#largeJson(response) : parseJson(response.body)
    if (value === undefined) throw malformed()
    return value
  }

  /** A write that answers `status` and nothing that we need. Rejects with ProviderError. */
  async write(method: 'PATCH' | 'DELETE', path: string, status: number, body?: unknown): Promise<void> {
    const response = await this.#call(method, path, { body })
    if (response.status !== status) throw this.#failure(path, response, true)
  }

  /** A write that answers 201 and JSON. Rejects with ProviderError. */
  async create(path: string, body: unknown): Promise<unknown> {
    const response = await this.#call('POST', path, { body })
    if (response.status !== 201) throw this.#failure(path, response, true)
    const value = parseJson(response.body)
    if (value === undefined) throw malformed('unknown')
    return value
  }

  async #call(method: string, path: string, { body, large = false }: CallOptions): Promise<HttpResponse> {
    try {
      return await this.#context.http.request({
        method,
        url: this.#baseUrl + path,
        // Without Accept, PowerDNS answers some errors as plain text.
        headers: {
          ...this.#proxyHeaders,
          'x-api-key': this.#apiKey,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: large ? LARGE_TIMEOUT_MS : TIMEOUT_MS,
        ...(large ? { maxBytes: this.#context.maxZoneRecords * BYTES_A_RECORD } : {}),
        signal: this.#context.signal,
      })
    } catch (error) {
      if (large && error instanceof OutboundError && error.kind === 'too_large')
        throw tooLarge(this.maxZoneRecords, error)
      throw fromOutbound(error, method !== 'GET')
    }
  }

  async #largeJson({ body }: HttpResponse): Promise<unknown> {
    const { maxZoneRecords } = this.#context
    if (await hasMoreValues(body, maxZoneRecords * VALUES_A_RECORD)) throw tooLarge(maxZoneRecords)
    return parseJson(body)
  }

  #failure(path: string, response: HttpResponse, isWrite: boolean): ProviderError {
    const { status } = response
    const reason = this.#reason(response.body)
    const { kind, message } = explain(status, reason, path)
    // A refusal (4xx) is certain; after anything else PowerDNS may have done it and only the answer is lost.
    const outcome = isWrite && !(status >= 300 && status < 500) ? 'unknown' : 'not_applied'
    const options = { outcome, retryAfter: retryAfterOf(response.headers) } as const
    if (outcome === 'unknown' && status === 500 && reason !== null)
      return new ServerFailure(kind, message, options)
    return new ProviderError(kind, message, options)
  }

  /** The `error` text of PowerDNS, made fit to be shown; null when the answer isn't PowerDNS's. */
  #reason(body: string): string | null {
    const value = parseJson(body)
    if (!isObject(value) || typeof value['error'] !== 'string') return null
    const text = value['error']
      .replaceAll(this.#apiKey, '***')
      // A hint for those at the server's command line.
      .replace(" (try 'pdnsutil check-zone')", '')
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
      .trim()
    return text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text
  }
}

interface Explanation {
  kind: ProviderErrorKind
  message: string
}

const NO_ZONE: Explanation = { kind: 'not_found', message: 'PowerDNS does not have this zone' }
const NO_SERVER: Explanation = {
  kind: 'not_found',
  message: 'PowerDNS has no server of this name: check serverId, or the path in apiUrl',
}

const PLAIN: Record<number, Explanation> = {
  401: { kind: 'auth', message: 'PowerDNS refuses the API key' },
  403: { kind: 'forbidden', message: 'PowerDNS, or a proxy before it, does not allow this' },
  429: { kind: 'rate_limited', message: 'PowerDNS, or a proxy before it, gets too many requests' },
}

/** What a status means; `reason` is null where the answer came from something else than PowerDNS. */
function explain(status: number, reason: string | null, path: string): Explanation {
  const message = `PowerDNS refuses this: ${reason ?? `status ${status}, without a reason`}`
  const plain = PLAIN[status]
  if (plain !== undefined) return plain
  if (status === 404 && reason !== null) return path.startsWith('/zones/') ? NO_ZONE : NO_SERVER
  // Before 4.2 these two were 422 as well.
  if (status === 422 && /^Could not find domain/i.test(reason ?? '')) return NO_ZONE
  if (status === 409 || (status === 422 && /already exists/i.test(reason ?? ''))) {
    return { kind: 'conflict', message }
  }
  if (status === 400 || status === 413 || status === 422) return { kind: 'rejected', message }
  return { kind: 'unavailable', message: whyUnavailable(status) }
}

function whyUnavailable(status: number): string {
  if (status >= 500) return `PowerDNS, or a proxy before it, fails with status ${status}`
  if (status >= 400) return `No PowerDNS API is at this address (status ${status}): check apiUrl`
  if (status >= 300) return 'The server redirects: give the address of the API itself as apiUrl'
  return NOT_POWERDNS
}

const NOT_POWERDNS = "The server answered something that is not PowerDNS's format: check apiUrl"

/** The answer, although of status 200, is none that PowerDNS gives. */
export const malformed = (outcome: 'not_applied' | 'unknown' = 'not_applied') =>
  new ProviderError('unavailable', NOT_POWERDNS, { outcome })

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is below the API's path for one server. */
export const serverUrl = (apiUrl: string, serverId: string): string =>
  `${apiRoot(apiUrl)}/api/v1/servers/${encodeURIComponent(serverId)}`

/** People give the address with or without the API's path, and with a proxy's prefix before it. */
const apiRoot = (apiUrl: string): string =>
  apiUrl
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\/api(\/v1)?$/, '')

/** RFC 7617. */
function basicAuthentication({ proxyUser = '', proxyPassword = '' }: Credentials): Record<string, string> {
  if (proxyUser === '' && proxyPassword === '') return {}
  return { authorization: `Basic ${Buffer.from(`${proxyUser}:${proxyPassword}`).toString('base64')}` }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No value of JSON is undefined.
    return undefined
  }
}

function fromOutbound(error: unknown, isWrite: boolean): ProviderError {
  if (!(error instanceof OutboundError)) throw error
  const outcome = isWrite && error.sent ? 'unknown' : 'not_applied'
  const options = { outcome, cause: error } as const
  if (error.kind === 'timeout' || error.kind === 'aborted') {
    return new ProviderError('timeout', 'PowerDNS did not answer in time', options)
  }
  if (error.kind === 'too_large')
    return new ProviderError('too_large', 'PowerDNS answered more than can be taken (1 MiB)', options)
  return new ProviderError('unavailable', `PowerDNS cannot be reached: ${error.message}`, options)
}
