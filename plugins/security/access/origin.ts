import type { FastifyRequest } from 'fastify'
import { CLIENTS, type Origin } from '../../../schemas/origin.ts'

/** Header with which the console, the command line and the MCP tools identify themselves. */
export const CLIENT_HEADER = 'zonekeeper-client'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Origin of the requests of a protocol's routes. */
    origin?: Origin
  }
}

/**
 * Returns the origin of a request. Protocols are recognized by their route; everything else is the client's
 * claim, used as a label and never for decisions. The console signs in, so requests with a personal token are
 * not its.
 */
export function originOf({ routeOptions, headers }: FastifyRequest, byToken: boolean): Origin {
  const { origin } = routeOptions.config
  if (origin !== undefined) return origin
  const claimed = CLIENTS.find((client) => client === headers[CLIENT_HEADER])
  return claimed === undefined || (claimed === 'console' && byToken) ? 'api' : claimed
}
