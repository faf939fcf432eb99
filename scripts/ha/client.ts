import { setTimeout as sleep } from 'node:timers/promises'

/* A client as docs/high-availability.md asks for: it repeats what was refused for the moment, each POST with its key. */

export interface Counts {
  /** Done, with all repeats. */
  done: number
  /** Requests that had to be repeated. */
  repeated: number
  /** Refused for good, or not done within the patience of the client. */
  failed: string[]
  answersOf500: string[]
  /** 503 without a problem document. */
  bare503: number
}

export const noCounts = (): Counts => ({ done: 0, repeated: 0, failed: [], answersOf500: [], bare503: 0 })

export interface Done {
  status: number
  // Bodies of many shapes; what is wrong with one shows as a failure of the run.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

interface Request {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
}

/** How long a client repeats a request, and waits for one answer, in milliseconds. */
const PATIENCE_MS = 120_000
const ANSWER_MS = 30_000
const WAIT_MS = 1_000
/** Waits vary by as much, so that clients don't come back at the same moment. */
const SPREAD_MS = 500

export interface Account {
  username: string
  password: string
}

export class RepeatingClient {
  readonly url: string
  readonly #account: Account
  #token = ''

  constructor(url: string, account: Account) {
    this.url = url
    this.#account = account
  }

  /** The access token of the last sign-in. */
  get token(): string {
    return this.#token
  }

  async signIn(counts: Counts): Promise<void> {
    const answer = await this.#repeat(
      { method: 'POST', path: '/api/auth/login', body: this.#account },
      counts,
      {},
    )
    if (answer?.status === 200) this.#token = answer.body.accessToken
  }

  /** Returns the answer to the request once it is done, or null if it failed for good. */
  async ask(request: Request, counts: Counts): Promise<Done | null> {
    const key = crypto.randomUUID()
    const ask = () =>
      this.#repeat(request, counts, {
        authorization: `Bearer ${this.#token}`,
        ...(request.method === 'POST' && { 'idempotency-key': key }),
      })
    const answer = await ask()
    if (answer?.status !== 401) return answer
    // An access token lasts 15 minutes.
    await this.signIn(counts)
    return ask()
  }

  async #repeat(
    { method, path, body }: Request,
    counts: Counts,
    headers: Record<string, string>,
  ): Promise<Done | null> {
    const until = performance.now() + PATIENCE_MS
    let last = ''
    for (let attempts = 0; performance.now() < until; attempts++) {
      if (attempts > 0) await sleep(WAIT_MS + Math.random() * SPREAD_MS)
      if (attempts === 1) counts.repeated++
      const answer = await this.#once(method, path, body, headers)
      if (typeof answer === 'string') {
        last = answer
        continue
      }
      const { status, type, text } = answer
      last = `${method} ${path}: ${status} ${text}`
      const isProblem = type.startsWith('application/problem+json')
      if (status === 503 && !isProblem) counts.bare503++
      if (status === 500) counts.answersOf500.push(last)
      const parsed = type.includes('json') ? JSON.parse(text) : text
      if (status < 400) counts.done++
      if (status < 400 || status === 401) return { status, body: parsed }
      const isBusy = status === 429 || status === 503 || parsed.reason === 'first_request_under_way'
      if (!isBusy) break
    }
    counts.failed.push(last)
    return null
  }

  /** Returns the answer, or why there was none. */
  async #once(method: string, path: string, body: unknown, headers: Record<string, string>) {
    try {
      const answer = await fetch(this.url + path, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      })
      const text = await answer.text()
      return { status: answer.status, type: answer.headers.get('content-type') ?? '', text }
    } catch (error) {
      const { message, cause } = error as Error & { cause?: Error }
      return `${method} ${path}: ${message} ${cause?.message ?? ''}`
    }
  }
}
