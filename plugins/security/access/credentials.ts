import type { FastifyRequest } from 'fastify'
import { CLIENTS, type Origin } from '../../../schemas/records/origin.ts'
import { AppError } from '../../http/errors.ts'
import { isPersonalToken } from './personal-tokens.ts'

export const unauthenticated = (detail: string) => new AppError(401, 'unauthenticated', detail)

/** The credentials of a request. */
export interface Credentials {
  token: string
  /** With HTTP Basic: the claimed owner of the personal token. */
  username: string | null
}

/**
 * Returns the credentials of a request: `Authorization: Bearer <token>`; on a route with `tokenInQuery` the
 * query's `token`; on one with `basic` also HTTP Basic with a personal token as the password; on one with `apiKey`
 * also a personal token in `X-API-Key`; on one with `passwordInQuery` the query's `username` and `password`. Throws 401.
 */
export function credentialsOf(request: FastifyRequest): Credentials {
  const { tokenInQuery, passwordInQuery, basic, apiKey } = request.routeOptions.config
  if (apiKey === true && request.headers.authorization === undefined) return ofApiKey(request)
  const { token } = request.query as { token?: unknown }
  const header = request.headers.authorization
  if (tokenInQuery === true && typeof token === 'string' && token && header === undefined) {
    return { token, username: null }
  }
  if (passwordInQuery === true && header === undefined) {
    const { username, password } = request.query as { username?: unknown; password?: unknown }
    if (username !== undefined || password !== undefined) return ofPair(username, password)
  }
  if (basic === true && /^basic /i.test(header ?? '')) return ofBasic(request)
  return { token: bearer(request), username: null }
}

/** Returns the token of `Authorization: Bearer <token>` (RFC 6750 section 2.1). */
export function bearer(request: FastifyRequest): string {
  const [scheme, token] = request.headers.authorization?.split(' ', 2) ?? []
  if (scheme?.toLowerCase() !== 'bearer' || !token) {
    throw unauthenticated('Send a token as "Authorization: Bearer <token>"')
  }
  return token
}

/** Returns the personal token of `X-API-Key`, as clients of PowerDNS send it. */
function ofApiKey({ headers }: FastifyRequest): Credentials {
  const token = String(headers['x-api-key'] ?? '')
  if (!isPersonalToken(token)) throw unauthenticated('Send a personal token in X-API-Key')
  return { token, username: null }
}

/** Returns user name and personal token of `Authorization: Basic <base64>` (RFC 7617 section 2), in UTF-8. */
function ofBasic({ headers }: FastifyRequest): Credentials {
  // A browser also sends stored credentials with requests of other sites' pages.
  if (['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))) {
    throw unauthenticated('HTTP Basic is not accepted from pages of another site')
  }
  const pair = Buffer.from(headers.authorization?.slice('basic '.length) ?? '', 'base64').toString()
  const colon = pair.indexOf(':')
  return ofPair(pair.slice(0, Math.max(colon, 0)), pair.slice(colon + 1))
}

function ofPair(username: unknown, token: unknown): Credentials {
  const isPair = typeof username === 'string' && username !== '' && typeof token === 'string'
  if (!isPair || !isPersonalToken(token)) {
    throw unauthenticated('Send your user name, and a personal token as the password')
  }
  return { token, username }
}

/** Header with which the console, the command line and the MCP tools identify themselves. */
const CLIENT_HEADER = 'zonekeeper-client'

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
