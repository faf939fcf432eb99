import type { Schemas } from './schema.ts'

type Problem = Schemas['Problem']

/** The error of a call that the service refused, with its problem details (RFC 9457). */
export class ZonekeeperError extends Error {
  override readonly name = 'ZonekeeperError'
  readonly status: number
  /** Null when the answer is not a problem document, and so probably not from Zonekeeper. */
  readonly problem: Problem | null
  /** Seconds to wait before the next try, if the answer says so. */
  readonly retryAfter: number | null

  constructor(status: number, problem: Problem | null, retryAfter: number | null, message?: string) {
    super(message ?? problem?.detail ?? `HTTP ${status} without details`)
    this.status = status
    this.problem = problem
    this.retryAfter = retryAfter
  }

  /** One of the codes listed in the API description. */
  get code(): Schemas['ErrorCode'] | null {
    return this.problem?.code ?? null
  }

  /** The faults by field, with `validation_failed`. */
  get errors(): Schemas['FieldError'][] {
    return this.problem?.errors ?? []
  }
}

/** Returns the error for an unsuccessful answer; reads its body. */
export async function errorOf(answer: Response): Promise<ZonekeeperError> {
  const retryAfter = secondsOf(answer.headers.get('retry-after'))
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json') ?? false
  const text = await answer.text()
  return new ZonekeeperError(answer.status, isProblem ? (JSON.parse(text) as Problem) : null, retryAfter)
}

/** Retry-After (RFC 9110 section 10.2.3) is a number of seconds or a date. */
function secondsOf(header: string | null): number | null {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
