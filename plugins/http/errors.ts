import type { ReasonCode } from '../../schemas/codes/reason-codes.ts'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import {
  DatabaseReadOnly,
  DatabaseUnavailable,
  DiskFull,
  isDiskFull,
  isReadOnly,
  isUnavailable,
  violates,
} from '../../db/connection/errors.ts'
import type { ErrorCode, Problem } from '../../schemas/problem.ts'
import { outcomeFields } from './request-effects.ts'

/** An error with a response: a status, a stable code, and a detail that people can act on. */
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

/** The service can't start for a reason outside of it; the message names the setting. */
export class StartError extends Error {}

export interface FieldError {
  /** JSON pointer to the field. */
  path: string
  message: string
  /** Stable code for programs. */
  code: ReasonCode
  /** Values named in the message, such as a limit. */
  params?: Record<string, unknown>
}

/** Returns a 400 that lists the invalid fields. */
export const invalid = (...errors: FieldError[]) =>
  new AppError(
    400,
    'validation_failed',
    errors.map((e) => `${e.path.slice(1) || 'body'}: ${e.message}`).join('; '),
    {
      extra: { errors },
    },
  )

/** Returns a 503 for an unavailable dependency; `seconds` until a retry makes sense. */
export const unavailable = (
  detail: string,
  { seconds = 2, cause }: { seconds?: number; cause?: unknown } = {},
) => new AppError(503, 'unavailable', detail, { headers: { 'retry-after': String(seconds) }, cause })

/** Codes of a 409: one reason, or conflicts or fields with codes of their own. */
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

/** Codes for errors raised by Fastify and its plugins. */
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

/** Turns every error into problem+json (RFC 9457); unexpected messages stay in the log. */
export default fp(
  async (app) => {
    app.setErrorHandler((raised: FastifyError | AppError, request, reply) => {
      const { problem, headers } = failureOf(raised, request)
      return sendProblem(reply, problem, headers)
    })
  },
  { name: 'errors' },
)

/** Logs an error and returns its problem document and headers. */
export function failureOf(
  raised: Error,
  request: FastifyRequest,
): { problem: Problem; headers: Record<string, string> } {
  const refusal = refusalOfDatabase(raised)
  const error = (refusal ?? raised) as FastifyError | AppError
  const problem = { ...toProblem(error, request), ...outcomeFor(error, request) }
  // The outage itself was logged when it began.
  if (raised instanceof DatabaseUnavailable) request.log.debug('request refused')
  else if (refusal || problem.code === 'unavailable')
    request.log.warn({ reason: raised.message }, 'request refused')
  else if (problem.status >= 500) request.log.error({ err: error }, 'request failed')
  else request.log.debug({ err: error }, 'request refused')
  const challenge = problem.status === 401 && { 'www-authenticate': challengeOf(request, problem.code) }
  return { problem, headers: { ...challenge, ...(error instanceof AppError && error.headers) } }
}

/** With these statuses, it may be unknown whether the request was carried out. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504])

function outcomeFor(error: FastifyError | AppError, request: FastifyRequest): object {
  const status = error instanceof AppError ? error.status : error.statusCode
  if (!UNAVAILABLE.has(status ?? 500)) return {}
  return outcomeFields(request, error instanceof AppError ? error.extra : {})
}

/** Returns the problem document of an error in background work. */
export const problemOf = (raised: Error, request: { id: string }): Problem =>
  toProblem((refusalOfDatabase(raised) ?? raised) as FastifyError, request as FastifyRequest)

/** Responds to errors before routing: malformed or overlong paths. */
export function sendFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void sendProblem(reply, toProblem(error, request))
  // No hook runs for such a request, so nothing else logs it.
  request.log.info({ req: request, res: reply }, 'request')
}

const BROKEN: Record<string, [status: number, detail: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'Request header fields are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not received in time'],
}

/** Responds to malformed HTTP; there is no request or reply yet, only the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const [status, detail] = BROKEN[error.code ?? ''] ?? [400, 'Malformed HTTP request']
  const body = JSON.stringify(problem({ id: crypto.randomUUID() }, status, 'validation_failed', detail))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/problem+json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Responds to unknown paths (404) and to methods that a path does not support (405, RFC 9110 15.5.6). */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply) {
  const path = request.url.split('?', 1)[0] ?? ''
  const detail = `No route for ${request.method} ${path.slice(0, 200)}`
  const allowed = request.server.allowedMethods(path)
  // A path that supports the method belongs to files, and this file does not exist.
  if (allowed.length === 0 || allowed.includes(request.method)) {
    return sendProblem(reply, problem(request, 404, 'not_found', detail))
  }
  const allow = allowed.join(', ')
  const refusal = problem(request, 405, 'method_not_allowed', `${detail}; allowed methods: ${allow}`)
  return sendProblem(reply, refusal, { allow })
}

/**
 * Returns the challenge of a 401 (RFC 9110 15.5.2), with `invalid_token` where the request had an invalid token (RFC 6750
 * section 3.1). Not for a wrong password or code, because then the token was not the problem.
 */
function challengeOf({ headers, query, routeOptions }: FastifyRequest, code: string): string {
  if (routeOptions.config.apiKey === true) return 'X-API-Key realm="Zonekeeper"'
  if (routeOptions.config.basic === true) return 'Basic realm="Zonekeeper"'
  const inQuery =
    routeOptions.config.tokenInQuery === true && (query as { token?: unknown }).token !== undefined
  const isSent = inQuery || /^bearer ./i.test(headers.authorization ?? '')
  return isSent && code !== 'invalid_credentials' ? 'Bearer error="invalid_token"' : 'Bearer'
}

function sendProblem(reply: FastifyReply, body: Problem, headers: Record<string, string> = {}) {
  // Also in the body, because scripts of other origins may not read the header.
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
    if (status === 503)
      return problem(request, 503, 'unavailable', 'The service is overloaded; try again shortly')
    return problem(request, 500, 'internal', 'Internal error; see the log entry with this request id')
  }
  // Fastify's message only repeats the title. Routes with other content types have their own error.
  const detail = status === 415 ? 'Send the body as application/json, with that Content-Type' : error.message
  return problem(request, status, code, detail)
}

/** Returns the response to a refusal by the database; null for other errors. */
function refusalOfDatabase(cause: Error): AppError | null {
  // The database refuses one of two concurrent changes that exclude each other.
  if (violates(cause, 'deadlock') || violates(cause, 'serialization') || violates(cause, 'lockTimeout')) {
    return unavailable('Another change to the same data is in progress; try again', { seconds: 1, cause })
  }
  if (violates(cause, 'foreignKey')) {
    return new AppError(409, 'conflict', 'A referenced object has just been deleted; reload and try again', {
      cause,
      extra: { reason: 'just_deleted' satisfies ReasonCode },
    })
  }
  if (violates(cause, 'statementTimeout')) {
    return unavailable('The database took too long; request less data, or try again', { seconds: 5, cause })
  }
  if (isDiskFull(cause)) return unavailable(new DiskFull().message, { seconds: 30, cause })
  if (isReadOnly(cause)) return unavailable(`${new DatabaseReadOnly().message}; try again shortly`, { cause })
  return isUnavailable(cause)
    ? unavailable('The database does not respond; try again shortly', { cause })
    : null
}

function validationProblem(error: FastifyError, request: FastifyRequest): Problem {
  const where = error.validationContext ?? 'request'
  const errors = toFieldErrors(error.validation ?? [])
  // A format and a pattern of one field may have the same message.
  const detail = [...new Set(errors.map((e) => `${e.path.slice(1) || where} ${e.message}`))].join('; ')
  return problem(request, 400, 'validation_failed', detail, { errors })
}

/** Converts errors of Ajv into field errors. */
export function toFieldErrors(
  found: readonly { keyword: string; instancePath: string; message?: string | undefined; params: object }[],
): FieldError[] {
  return found.slice(0, MAX_FIELD_ERRORS).map(({ keyword, instancePath, message = 'is invalid', params }) => {
    const { missingProperty, additionalProperty, ...named } = params as {
      missingProperty?: string
      additionalProperty?: string
    }
    // The reason codes contain the keywords that our schemas use.
    const code = keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as ReasonCode
    const property = missingProperty ?? additionalProperty
    const path = property === undefined ? instancePath : `${instancePath}/${property}`
    if (missingProperty !== undefined) return { path, message: 'is required', code }
    return { path, message, code, params: named }
  })
}
