import type { ReasonCode } from '../../schemas/reason-codes.ts'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import {
  DatabaseUnavailable,
  DiskFull,
  isDiskFull,
  isUnavailable,
  violates,
} from '../../db/connection/errors.ts'
import type { ErrorCode, Problem } from '../../schemas/problem.ts'
import { outcomeFields } from './request-effects.ts'

/** A failure with an answer for the client: a status, a stable code, and words a person can act on. */
export class AppError extends Error {
  readonly status: number
  readonly code: ErrorCode
  /** Further members of the problem document. */
  readonly extra: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    status: number,
    code: ErrorCode,
    detail: string,
    options: { extra?: Record<string, unknown>; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause })
    this.name = 'AppError'
    this.status = status
    this.code = code
    this.extra = options.extra ?? {}
    this.headers = options.headers ?? {}
  }
}

/** Something outside the program keeps it from starting; the message says what, and names the variable. */
export class StartError extends Error {}

export interface FieldError {
  /** JSON pointer to the field. */
  path: string
  message: string
  /** What is wrong, for programs: stays the same while the words may change. */
  code: ReasonCode
  /** What the words name beside the field, such as a limit. */
  params?: Record<string, unknown>
}

/** A 400 that names the fields. */
export const invalid = (...errors: FieldError[]) =>
  new AppError(
    400,
    'validation_failed',
    errors.map((e) => `${e.path.slice(1) || 'body'}: ${e.message}`).join('; '),
    {
      extra: { errors },
    },
  )

/** Something that the answer needs is away; `seconds` until trying again is worth it. */
export const unavailable = (
  detail: string,
  { seconds = 2, cause }: { seconds?: number; cause?: unknown } = {},
) => new AppError(503, 'unavailable', detail, { headers: { 'retry-after': String(seconds) }, cause })

/** What a 409 says for programs: why as a whole, or by conflicts or fields, which have their own codes. */
type Why =
  | { reason: ReasonCode; params?: Record<string, unknown> | undefined }
  | { conflicts: readonly object[] }
  | { errors: readonly FieldError[] }

export const conflict = (detail: string, extra: Why & { [member: string]: unknown }) =>
  new AppError(409, 'conflict', detail, { extra })

export const forbidden = (
  detail: string,
  extra: { reason?: ReasonCode; params?: Record<string, unknown>; [member: string]: unknown } = {},
) => new AppError(403, 'forbidden', detail, { extra })

export const notFound = (what: string, id: string) => new AppError(404, 'not_found', `No ${what} ${id}`)

/** The codes for errors that Fastify itself and its plugins raise. */
const CODES: Record<number, ErrorCode> = {
  400: 'validation_failed',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'payload_too_large',
  414: 'validation_failed',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
}

const MAX_FIELD_ERRORS = 20

/** Every error becomes problem+json (RFC 9457); what we did not mean to say stays in the log. */
export default fp(
  async (app) => {
    app.setErrorHandler((raised: FastifyError | AppError, request, reply) => {
      const { problem, headers } = failureOf(raised, request)
      return sendProblem(reply, problem, headers)
    })
  },
  { name: 'errors' },
)

/** Logs a failure, and says what it is answered with, and by which headers. */
export function failureOf(
  raised: Error,
  request: FastifyRequest,
): { problem: Problem; headers: Record<string, string> } {
  const refusal = refusalOfDatabase(raised)
  const error = (refusal ?? raised) as FastifyError | AppError
  const problem = { ...toProblem(error, request), ...outcomeFor(error, request) }
  // That the database is away was logged when it went.
  if (raised instanceof DatabaseUnavailable) request.log.debug('request refused')
  else if (refusal || problem.code === 'unavailable')
    request.log.warn({ reason: raised.message }, 'request refused')
  else if (problem.status >= 500) request.log.error({ err: error }, 'request failed')
  else request.log.debug({ err: error }, 'request refused')
  const challenge = problem.status === 401 && { 'www-authenticate': challengeOf(request, problem.code) }
  return { problem, headers: { ...challenge, ...(error instanceof AppError && error.headers) } }
}

/** Something that was away may leave it open whether the work was done. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504])

function outcomeFor(error: FastifyError | AppError, request: FastifyRequest): object {
  const status = error instanceof AppError ? error.status : error.statusCode
  if (!UNAVAILABLE.has(status ?? 500)) return {}
  return outcomeFields(request, error instanceof AppError ? error.extra : {})
}

/** The problem that an answer to a failure would have been, for work that nobody waits for. */
export const problemOf = (raised: Error, request: { id: string }): Problem =>
  toProblem((refusalOfDatabase(raised) ?? raised) as FastifyError, request as FastifyRequest)

/** The answer to what fails before there is a route: a malformed or overlong path. */
export function sendFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void sendProblem(reply, toProblem(error, request))
  // Such a request passes no hook, so nothing else logs it.
  request.log.info({ req: request, res: reply }, 'request')
}

const BROKEN: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The header fields are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
}

/** The answer to what is no HTTP request: there is no request or reply yet, only the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const [status, detail] = BROKEN[error.code ?? ''] ?? [400, 'This is no HTTP request']
  const body = JSON.stringify(problem({ id: crypto.randomUUID() }, status, 'validation_failed', detail))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** The answer to a path that there is not, or that has not this method (RFC 9110 15.5.6). */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply) {
  const path = request.url.split('?', 1)[0] ?? ''
  const detail = `There is no ${request.method} ${path.slice(0, 200)}`
  const allowed = request.server.allowedMethods(path)
  // A path that has the method is one of files, of which this one is not there.
  if (allowed.length === 0 || allowed.includes(request.method)) {
    return sendProblem(reply, problem(request, 404, 'not_found', detail))
  }
  const allow = allowed.join(', ')
  const refusal = problem(request, 405, 'method_not_allowed', `${detail}; this path has ${allow}`)
  return sendProblem(reply, refusal, { allow })
}

/**
 * How to sign in, which each 401 says (RFC 9110 15.5.2); and that the token which came does not count (RFC 6750
 * section 3.1). Not for a wrong password or code: the token, if one came, is not what was refused.
 */
function challengeOf({ headers, query, routeOptions }: FastifyRequest, code: string): string {
  if (routeOptions.config.basic === true) return 'Basic realm="Zonekeeper"'
  const inQuery =
    routeOptions.config.tokenInQuery === true && (query as { token?: unknown }).token !== undefined
  const isSent = inQuery || /^bearer ./i.test(headers.authorization ?? '')
  return isSent && code !== 'invalid_credentials' ? 'Bearer error="invalid_token"' : 'Bearer'
}

function sendProblem(reply: FastifyReply, body: Problem, headers: Record<string, string> = {}) {
  // Beside the header, which scripts of other origins may not see.
  const seconds = headers['retry-after']
  const told = seconds === undefined ? body : { ...body, retryAfter: Number(seconds) }
  return reply.code(body.status).headers(headers).type('application/problem+json').send(told)
}

function problem(
  request: { id: string },
  status: number,
  code: ErrorCode,
  detail: string,
  extra = {},
): Problem {
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    code,
    requestId: request.id,
    ...extra,
  }
}

function toProblem(error: FastifyError | AppError, request: FastifyRequest): Problem {
  if (error instanceof AppError) {
    return problem(request, error.status, error.code, error.message, error.extra)
  }
  if (error.validation) return validationProblem(error, request)
  const status = error.statusCode ?? 500
  const code = CODES[status]
  if (code === undefined || status >= 500) {
    if (status === 503) return problem(request, 503, 'unavailable', 'The service is busy; try again shortly')
    return problem(request, 500, 'internal', 'Something went wrong here; the log has the request id')
  }
  // Fastify only repeats the title. What takes something else than JSON says so itself.
  const detail = status === 415 ? 'Send application/json, and say so in Content-Type' : error.message
  return problem(request, status, code, detail)
}

/** What the database did not do though nothing is wrong with the request or with us; null for any other failure. */
function refusalOfDatabase(cause: Error): AppError | null {
  // Of two changes at once that can't both be, it refuses one.
  if (violates(cause, 'deadlock') || violates(cause, 'serialization') || violates(cause, 'lockTimeout')) {
    return unavailable('Another change of the same was under way; try again', { seconds: 1, cause })
  }
  if (violates(cause, 'foreignKey')) {
    return new AppError(409, 'conflict', 'Something that this refers to has just been deleted', {
      cause,
      extra: { reason: 'just_deleted' satisfies ReasonCode },
    })
  }
  if (violates(cause, 'statementTimeout')) {
    return unavailable('The database took too long; ask for less, or try again', { seconds: 5, cause })
  }
  if (isDiskFull(cause)) return unavailable(new DiskFull().message, { seconds: 30, cause })
  return isUnavailable(cause) ? unavailable('The database does not answer', { cause }) : null
}

function validationProblem(error: FastifyError, request: FastifyRequest): Problem {
  const where = error.validationContext ?? 'request'
  const errors = toFieldErrors(error.validation ?? [])
  // A format and a pattern of one field may say the same.
  const detail = [...new Set(errors.map((e) => `${e.path.slice(1) || where} ${e.message}`))].join('; ')
  return problem(request, 400, 'validation_failed', detail, { errors })
}

/** What Ajv found, in the form that clients get. */
export function toFieldErrors(
  found: readonly { keyword: string; instancePath: string; message?: string | undefined; params: object }[],
): FieldError[] {
  return found.slice(0, MAX_FIELD_ERRORS).map(({ keyword, instancePath, message = 'is invalid', params }) => {
    const { missingProperty, additionalProperty, ...named } = params as {
      missingProperty?: string
      additionalProperty?: string
    }
    // Of the keywords that our schemas use.
    const code = keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as ReasonCode
    const property = missingProperty ?? additionalProperty
    const path = property === undefined ? instancePath : `${instancePath}/${property}`
    if (missingProperty !== undefined) return { path, message: 'is required', code }
    return { path, message, code, params: named }
  })
}
