import type { ErrorCode, FieldError, Problem } from './generated/data-contracts.ts'

/** What the service said instead of doing what was asked: RFC 9457 problem details. */
export class ZonekeeperError extends Error {
  override readonly name = 'ZonekeeperError'
  readonly status: number
  /** Null: the answer was no problem document, and most likely not of Zonekeeper. */
  readonly problem: Problem | null
  /** Seconds after which to try again, where the answer says so. */
  readonly retryAfter: number | null

  constructor(status: number, problem: Problem | null, retryAfter: number | null, message?: string) {
    super(message ?? problem?.detail ?? `The answer is ${status}, without a word`)
    this.status = status
    this.problem = problem
    this.retryAfter = retryAfter
  }

  /** One of the closed list of the API description. */
  get code(): ErrorCode | null {
    return this.problem?.code ?? null
  }

  /** What is wrong where, with `validation_failed`. */
  get errors(): FieldError[] {
    return this.problem?.errors ?? []
  }
}

/** The error that an answer is. Reads its body. */
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
