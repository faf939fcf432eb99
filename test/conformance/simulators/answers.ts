import type { SimulatorAnswer, SimulatorRequest } from './server.ts'

/* What simulators of JSON APIs have in common. */

export type Body = Record<string, unknown>

/** Ends the request with this answer. */
export class Refused extends Error {
  readonly answer: SimulatorAnswer

  constructor(answer: SimulatorAnswer) {
    super(typeof answer.body === 'string' ? answer.body : `status ${answer.status}`)
    this.answer = answer
  }
}

export const json = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): SimulatorAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

export type Reply = Refused | SimulatorAnswer

export const answerOf = (reply: Reply): SimulatorAnswer => (reply instanceof Refused ? reply.answer : reply)
export const refusedBy = (reply: Reply): Refused => (reply instanceof Refused ? reply : new Refused(reply))

/** What `handle` answers, or what it refused with. */
export async function orRefused(
  handle: () => SimulatorAnswer | Promise<SimulatorAnswer>,
): Promise<SimulatorAnswer> {
  try {
    return await handle()
  } catch (error) {
    if (error instanceof Refused) return error.answer
    throw error
  }
}

/** The token of `Authorization: Bearer`; '' where there is none. */
export const bearerOf = ({ headers }: SimulatorRequest): string =>
  /^Bearer (\S+)$/.exec(String(headers['authorization']))?.[1] ?? ''

/** The body, which must be JSON; else the answer. */
export function parse(request: SimulatorRequest, orElse: SimulatorAnswer): unknown {
  try {
    return JSON.parse(request.body)
  } catch {
    throw new Refused(orElse)
  }
}

export const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What is text in a body; '' where it is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export interface NumberedPage<T> {
  items: T[]
  page: number
  size: number
  pages: number
}

/** The page that `page` and, by that name or another, `per_page` ask for; null where the provider has none such. */
export function pageOf<T>(
  all: T[],
  query: URLSearchParams,
  { size: usual, most, by = 'per_page' }: { size: number; most: number; by?: string },
): NumberedPage<T> | null {
  const page = Number(query.get('page') ?? 1)
  const size = Number(query.get(by) ?? usual)
  if (!Number.isInteger(page) || !Number.isInteger(size)) return null
  if (page < 1 || size < 1 || size > most) return null
  const items = all.slice((page - 1) * size, page * size)
  return { items, page, size, pages: Math.max(1, Math.ceil(all.length / size)) }
}

/** What is told of a call that was counted. `resetMs`: the time when the oldest counts no more. */
export interface CallCount {
  taken: boolean
  remaining: number
  resetMs: number
}

/** Calls of the last so many seconds, of which only so many are taken. */
export class CallRate {
  readonly calls: number
  readonly #ms: number
  #taken: number[] = []

  constructor(calls: number, seconds: number) {
    this.calls = calls
    this.#ms = seconds * 1000
  }

  /** Counts a call. */
  take(): CallCount {
    const now = Date.now()
    this.#taken = this.#taken.filter((at) => at > now - this.#ms)
    const taken = this.#taken.length < this.calls
    if (taken) this.#taken.push(now)
    return { taken, remaining: this.calls - this.#taken.length, resetMs: (this.#taken[0] ?? now) + this.#ms }
  }
}

/** `ratelimit-limit`, `-remaining` and `-reset`, which is a Unix time. */
export const rateHeaders = ({ calls }: CallRate, { remaining, resetMs }: CallCount, prefix = '') => ({
  [`${prefix}ratelimit-limit`]: String(calls),
  [`${prefix}ratelimit-remaining`]: String(remaining),
  [`${prefix}ratelimit-reset`]: String(Math.ceil(resetMs / 1000)),
})
