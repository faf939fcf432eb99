import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, failureOf } from '../../../plugins/http/errors.ts'

/** A request that PowerDNS would refuse in the same way. */
export const refused = (detail: string, errors: string[] = []) =>
  new AppError(422, 'validation_failed', detail, errors.length > 1 ? { extra: { errors } } : {})

/** PowerDNS does not say what was not found either. */
export const missing = () => new AppError(404, 'not_found', 'Not Found')

interface Fault {
  path?: string
  message?: string
}

/**
 * Answers an error as PowerDNS does: `{"error": …}`, and `errors` if there are several. Its statuses are 400 (not JSON), 401,
 * 404, 405, 409 and 422 (refused); 403, 429 and those of an unreachable DNS provider are ours.
 */
export function sendError(raised: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply) {
  const { problem, headers } = failureOf(raised, request)
  const { extra = {} } = raised instanceof AppError ? raised : {}
  // What a service refuses as 400 was valid JSON.
  const isRefused = raised instanceof AppError && problem.status === 400
  const { done, total } = extra as { done?: number; total?: number }
  const extent = total === undefined ? '' : `; ${done ?? 0} of ${total} changes were made`
  const errors = ((extra['errors'] ?? []) as (Fault | string)[]).map((fault) =>
    typeof fault === 'string' ? fault : `${fault.path?.slice(1) ?? ''}: ${fault.message ?? ''}`,
  )
  const isNoJson = (raised as FastifyError).code === 'FST_ERR_CTP_INVALID_JSON_BODY'
  const detail = isNoJson ? 'The body is not valid JSON' : problem.detail + extent
  return sendFault(reply.headers(headers), isRefused ? 422 : problem.status, detail, errors)
}

export function sendFault(reply: FastifyReply, status: number, error: string, errors: string[] = []) {
  const several = errors.map((text) => JSON.stringify(text)).join(', ')
  const more = errors.length > 1 ? `, "errors": [${several}]` : ''
  return reply
    .code(status)
    .type('application/json')
    .send(`{"error": ${JSON.stringify(error)}${more}}`)
}
