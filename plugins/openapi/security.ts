import type { FastifyContextConfig } from 'fastify'
import type { Access } from '../security/access/index.ts'

export const SECURITY_SCHEMES = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  personalToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'zkp_…',
    description: 'A personal token with the permission listed for the operation',
  },
  basicToken: {
    type: 'http',
    scheme: 'basic',
    description: 'The user name of the owner, with a personal token as the password',
  },
  passwordInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'password',
    description:
      'A personal token, with the user name of its owner as `username`: for devices that cannot send headers. Proxies may log it',
  },
  accessTokenInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The access token, for clients that cannot send headers, such as EventSource in browsers',
  },
  temporaryToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `tempToken` of a sign-in, for its second step',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'refresh_token',
    description: 'Set by each sign-in (HttpOnly); accepted from pages of this site and of CORS_ORIGINS',
  },
} as const

type SecurityScheme = keyof typeof SECURITY_SCHEMES

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Optional credentials that a public route checks itself. */
    credentials?: readonly SecurityScheme[]
  }
}

/** Credentials accepted by each access rule. */
const OF_ACCESS: Record<Access, SecurityScheme[]> = {
  public: [],
  user: ['accessToken'],
  admin: ['accessToken'],
  temp: ['temporaryToken'],
  'temp-or-user': ['temporaryToken', 'accessToken'],
  api: ['personalToken', 'accessToken'],
  'api-admin': ['personalToken', 'accessToken'],
}

/** Schemes that need the route's permission, which is listed like a scope. */
const OF_TOKENS: ReadonlySet<SecurityScheme> = new Set(['personalToken', 'basicToken', 'passwordInQuery'])

/** Returns the security requirements of a route, any of which is enough; `{}` means none. */
export function securityOf(access: Access, config: FastifyContextConfig) {
  const { tokenInQuery, passwordInQuery, basic, credentials, permission } = config
  const schemes = [
    ...OF_ACCESS[access],
    ...(basic ? (['basicToken'] as const) : []),
    ...(passwordInQuery ? (['passwordInQuery'] as const) : []),
    ...(tokenInQuery ? (['accessTokenInQuery'] as const) : []),
    ...(credentials ?? []),
  ]
  const permissions = (scheme: SecurityScheme) => (permission && OF_TOKENS.has(scheme) ? [permission] : [])
  return [...schemes.map((scheme) => ({ [scheme]: permissions(scheme) })), ...(credentials ? [{}] : [])]
}
