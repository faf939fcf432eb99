import type { FastifyRequest } from 'fastify'
import { CLIENTS, type Origin } from '../../../schemas/origin.ts'

/** The header by which the console, the command line and the tools for assistants say what they are. */
export const CLIENT_HEADER = 'zonekeeper-client'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of routes that speak a protocol: what their requests are noted as. */
    origin?: Origin
  }
}

/**
 * How a request came in. What speaks a protocol is known by its route; the rest is a claim of the client, good as a
 * label and for no decision. The console signs in, so nothing that comes with a personal token is it.
 */
export function originOf({ routeOptions, headers }: FastifyRequest, byToken: boolean): Origin {
  const { origin } = routeOptions.config
  if (origin !== undefined) return origin
  const claimed = CLIENTS.find((client) => client === headers[CLIENT_HEADER])
  return claimed === undefined || (claimed === 'console' && byToken) ? 'api' : claimed
}
