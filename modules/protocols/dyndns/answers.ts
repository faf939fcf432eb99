import type { FastifyReply, FastifyRequest } from 'fastify'
import { failureOf } from '../../../plugins/http/errors.ts'

/** What the protocol says of one host, or of a call as a whole. */
export type Code = 'good' | 'nochg' | 'nohost' | 'notfqdn' | 'numhost' | 'dnserr' | '911'

export interface Result {
  code: Code
  /** Of `good` and `nochg`. */
  addresses?: readonly string[]
  /** Why, where the code doesn't say it. */
  detail?: string
}

/** One line for each host, in the order in which they were named. */
export const toLines = (results: readonly Result[]): string =>
  results
    .map(({ code, addresses = [], detail }) =>
      [code, ...(detail ? [detail] : addresses.length > 0 ? [addresses.join(',')] : [])].join(' '),
    )
    .map((line) => `${line}\n`)
    .join('')

const OF_STATUS: Record<number, string> = { 400: 'dnserr', 401: 'badauth', 403: 'badauth', 429: 'abuse' }

/** What these clients read in place of a problem document. */
export function sendFailure(raised: Error, request: FastifyRequest, reply: FastifyReply): void {
  const { problem, headers } = failureOf(raised, request)
  void reply
    .code(problem.status)
    .headers(headers)
    .type('text/plain; charset=utf-8')
    .send(`${OF_STATUS[problem.status] ?? '911'}\n`)
}
