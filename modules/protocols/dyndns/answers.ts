import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from '../../../plugins/http/errors.ts'

/** A result code of the protocol, for one host or for the whole call. */
export type Code = 'good' | 'nochg' | 'nohost' | 'notfqdn' | 'numhost' | 'dnserr' | '911'

export interface HostResult {
  code: Code
  /** With `good` and `nochg`. */
  addresses?: readonly string[]
  /** The reason, if the code is not enough. */
  detail?: string
}

/** Returns one line per host, in the order of the call. */
export const toLines = (results: readonly HostResult[]): string =>
  results
    .map(({ code, addresses = [], detail }) =>
      [code, ...(detail ? [detail] : addresses.length > 0 ? [addresses.join(',')] : [])].join(' '),
    )
    .map((line) => `${line}\n`)
    .join('')

const OF_STATUS: Record<number, string> = { 400: 'dnserr', 401: 'badauth', 403: 'badauth', 429: 'abuse' }

/** Sends the error that these clients read instead of a problem document. */
export function sendFailure(raised: Error, request: FastifyRequest, reply: FastifyReply): void {
  const { problem, headers } = failureOf(raised, request)
  void reply
    .code(problem.status)
    .headers(headers)
    .type('text/plain; charset=utf-8')
    .send(`${OF_STATUS[problem.status] ?? '911'}\n`)
}
