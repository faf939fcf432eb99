import type { Page, Request, Route } from 'playwright-core'

/** What reads are answered instead of what the service would say. */
export type Answering =
  | { kind: 'as it is' }
  /** Not at all, until something else is set. */
  | { kind: 'held' }
  | { kind: 'away' }
  | { kind: 'empty' }
  | { kind: 'problem'; status: number; code: string; detail: string; retryAfter?: number }

export const PROBLEMS = {
  broken: { kind: 'problem', status: 500, code: 'internal', detail: 'Internal error' },
  unavailable: {
    kind: 'problem',
    status: 503,
    code: 'unavailable',
    detail: 'The database is away',
    retryAfter: 0,
  },
  limited: { kind: 'problem', status: 429, code: 'rate_limited', detail: 'Too many requests', retryAfter: 2 },
  forbidden: { kind: 'problem', status: 403, code: 'forbidden', detail: 'Only owners may do this' },
} as const satisfies Record<string, Answering>

/** What makes up the session, and what is known before a page asks for anything. */
const ALWAYS = /^\/api\/(auth\/(refresh|logout|login)|notifications\/stream|site)/
/** Lists that come with the service: those are never empty. */
const CATALOGUES = /^\/api\/(providers|record-types|notifications\/channels|auth\/me)$/
const ONE = /\/[0-9a-f-]{36}$/

const isRead = (request: Request) => request.method() === 'GET' || request.url().includes('dryRun=true')

/**
 * Answers the reads of a page as it is set, once `from` says so: until then the session begins as it does.
 */
export class Interception {
  #answering: Answering = { kind: 'as it is' }
  #held: Route[] = []
  /** How often each path was asked for since the last `set`. */
  readonly asked = new Map<string, number>()
  #hasBegun = false

  static async of(page: Page): Promise<Interception> {
    const interception = new Interception()
    await page.route(
      ({ pathname }) => pathname.startsWith('/api/') && !ALWAYS.test(pathname),
      (route) => interception.#take(route),
    )
    return interception
  }

  /** From now on, and for what is held. The next page begins its session first. */
  async set(answering: Answering, { newPage = false } = {}): Promise<void> {
    this.#answering = answering
    this.#hasBegun = !newPage
    this.asked.clear()
    const held = this.#held
    this.#held = []
    // Those of a page that is left are gone.
    for (const route of held) await this.#answer(route).catch(() => null)
  }

  async #take(route: Route): Promise<void> {
    const { pathname } = new URL(route.request().url())
    if (!this.#hasBegun && pathname === '/api/auth/me') {
      this.#hasBegun = true
      return route.continue()
    }
    if (!isRead(route.request())) return route.continue()
    this.asked.set(pathname, (this.asked.get(pathname) ?? 0) + 1)
    // A page that is left aborts what it asked for.
    await this.#answer(route).catch(() => null)
  }

  async #answer(route: Route): Promise<void> {
    const answering = this.#answering
    const { pathname } = new URL(route.request().url())
    switch (answering.kind) {
      case 'as it is':
        return route.continue()
      case 'held':
        this.#held.push(route)
        return
      case 'away':
        return route.abort('connectionrefused')
      case 'empty': {
        if (CATALOGUES.test(pathname) || ONE.test(pathname)) return route.continue()
        const answer = await route.fetch()
        return route.fulfill({ response: answer, json: emptied(await answer.json()) })
      }
      case 'problem': {
        const { status, code, detail, retryAfter } = answering
        const problem = { type: 'about:blank', title: code, status, detail, code, requestId: 'req-1' }
        return route.fulfill({
          status,
          contentType: 'application/problem+json',
          headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
          json: { ...problem, ...(retryAfter !== undefined && { retryAfter }) },
        })
      }
    }
  }
}

/** An answer of the same shape in which every list is empty and every count is none. */
function emptied(body: unknown): unknown {
  if (Array.isArray(body)) return []
  if (typeof body === 'number') return 0
  if (typeof body !== 'object' || body === null) return body
  const members = Object.entries(body).map(([name, value]) => [
    name,
    name === 'page' || name === 'limit' || name === 'availableProviders'
      ? (value as unknown)
      : emptied(value),
  ])
  return Object.fromEntries(members) as unknown
}
