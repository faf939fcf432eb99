import { errorOf, ZonekeeperError } from './problem.ts'

export interface ClientOptions {
  /** Where the service is, such as https://dns.example.com: what comes before /api. */
  url: string
  /** A personal token, or that of a machine account. */
  token: string
  /** How often a call that is 429 or 503 is repeated when the answer says when; 3 if not said. */
  retries?: number
  /** The longest time that a call waits before it is repeated, in seconds; 60 if not said. */
  longestWait?: number
  /** Hears of each wait before a call is repeated. */
  onWait?: (seconds: number) => void
  /** What the history and the audit trail name as the way; a label alone. */
  client?: 'cli' | 'mcp'
  /** Another fetch, such as one that goes by a proxy. */
  fetch?: typeof fetch
}

/** Of one call. */
export interface RequestOptions {
  /** Such as If-Match, or an Idempotency-Key of your own. */
  headers?: Record<string, string>
  signal?: AbortSignal
}

interface RequestParts extends RequestOptions {
  body?: unknown
  /** Media type of a body that is text; others are JSON. */
  type?: string
  query?: object | undefined
}

const RETRIES = 3
const LONGEST_WAIT_SECONDS = 60
/** Where a 429 or 503 does not say when. */
const WAIT_SECONDS = 1

/** Sends the calls of the generated operations. */
export class HttpClient {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') }
  }

  /**
   * One call, repeated while the service is busy (429, 503), not longer than the options say. A POST gets an
   * Idempotency-Key, with which the service does it once however often it comes. Rejects with ZonekeeperError when
   * the service refuses, and as fetch does when it can't be reached.
   */
  protected async request<T>(method: string, path: string, parts: RequestParts = {}): Promise<T> {
    const { url, retries = RETRIES, longestWait = LONGEST_WAIT_SECONDS } = this.#options
    const send = this.#options.fetch ?? fetch
    const address = `${url}${path}${queryOf(parts.query)}`
    const init: RequestInit = {
      method,
      headers: this.#headers(method, parts),
      // A POST that is led elsewhere would become a GET there.
      redirect: 'error',
      ...(parts.body !== undefined && {
        body: parts.type === undefined ? JSON.stringify(parts.body) : (parts.body as string),
      }),
      ...(parts.signal && { signal: parts.signal }),
    }
    for (let tries = 0; ; tries++) {
      const answer = await send(address, init)
      if (answer.ok) return (await bodyOf(answer)) as T
      const error = await errorOf(answer)
      const wait = error.retryAfter ?? WAIT_SECONDS
      const isBusy = error.status === 429 || error.status === 503
      if (!isBusy || tries >= retries || wait > longestWait) throw error
      this.#options.onWait?.(wait)
      await sleep(wait, parts.signal)
    }
  }

  #headers(method: string, { body, type, headers }: RequestParts): Record<string, string> {
    return {
      accept: 'application/json, */*;q=0.5',
      authorization: `Bearer ${this.#options.token}`,
      ...(this.#options.client && { 'zonekeeper-client': this.#options.client }),
      ...(body !== undefined && { 'content-type': type ?? 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
      ...headers,
    }
  }
}

type Scalar = string | number | boolean

/** `?a=1&b=2&b=3`, or nothing. */
function queryOf(query: object | undefined): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {}) as [string, Scalar | Scalar[] | undefined][])
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) pairs.append(name, String(one))
  return pairs.size === 0 ? '' : `?${pairs.toString()}`
}

async function bodyOf(answer: Response): Promise<unknown> {
  const type = answer.headers.get('content-type') ?? ''
  if (answer.status === 204) return undefined
  if (/\bjson\b/.test(type)) return answer.json()
  const text = await answer.text()
  // No operation answers a page: something else is at that address.
  if (!type.startsWith('text/html')) return text
  throw new ZonekeeperError(
    answer.status,
    null,
    null,
    'There is a web page and no Zonekeeper at this address',
  )
}

function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, seconds * 1000)
    signal?.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      if (signal?.aborted) reject(signal.reason as Error)
      else resolve()
    }
  })
}
