import { bodyParts, createCalls, readBody, type Call, type Calls } from './calls.ts'
import { errorOf, ZonekeeperError } from './problem.ts'
import type { OpenApi } from './schema.ts'

export interface ClientOptions {
  /** URL of the service, such as https://dns.example.com: the part before /api. */
  url: string
  /** A personal token, or that of a machine account. */
  token: string
  /** How often a call is repeated after 429 or 503; 3 by default. */
  retries?: number
  /** The longest wait before a call is repeated, in seconds; 60 by default. */
  longestWait?: number
  /** Called before each wait. */
  onWait?: (seconds: number) => void
  /** Origin that the history and the audit log show; for display only. */
  client?: 'cli' | 'mcp'
  /** Replaces the global fetch, for example to use a proxy. */
  fetch?: typeof fetch
}

/** A client of the Open API. */
export type Zonekeeper = Calls<OpenApi>

const RETRIES = 3
const LONGEST_WAIT_SECONDS = 60
/** Wait after a 429 or 503 without Retry-After. */
const WAIT_SECONDS = 1

/**
 * Returns a client. A call resolves with the body of the answer, and is repeated while the service is busy (429, 503).
 * A POST carries an Idempotency-Key, so that the service does it once however often it is sent. A call rejects with
 * ZonekeeperError when the service refuses it, and as fetch does when the service can't be reached.
 */
export function createClient(options: ClientOptions): Zonekeeper {
  const url = options.url.replace(/\/+$/, '')
  const { retries = RETRIES, longestWait = LONGEST_WAIT_SECONDS, fetch: send = fetch } = options

  return createCalls<OpenApi>(async (call) => {
    const init = requestOf(call, options)
    for (let tries = 0; ; tries++) {
      const answer = await send(url + call.address, init)
      if (answer.ok) return bodyOf(answer)
      const error = await errorOf(answer)
      const wait = error.retryAfter ?? WAIT_SECONDS
      const isBusy = error.status === 429 || error.status === 503
      if (!isBusy || tries >= retries || wait > longestWait) throw error
      options.onWait?.(wait)
      await sleep(wait, call.signal)
    }
  })
}

function requestOf({ method, body, headers, signal }: Call, { token, client }: ClientOptions): RequestInit {
  const { headers: bodyHeaders, ...parts } = bodyParts(body)
  return {
    method,
    ...parts,
    headers: {
      accept: 'application/json, */*;q=0.5',
      authorization: `Bearer ${token}`,
      ...(client && { 'zonekeeper-client': client }),
      ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
      ...bodyHeaders,
      ...headers,
    },
    // A redirected POST would become a GET.
    redirect: 'error',
    ...(signal && { signal }),
  }
}

function bodyOf(answer: Response): Promise<unknown> {
  // No operation returns HTML: something else is at that URL.
  if (!answer.headers.get('content-type')?.startsWith('text/html')) return readBody(answer)
  throw new ZonekeeperError(answer.status, null, null, 'The URL leads to a web page, not to Zonekeeper')
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
