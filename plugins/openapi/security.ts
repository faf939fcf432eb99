import type { FastifyContextConfig } from 'fastify'
import type { Access } from '../security/access/index.ts'

export const SECURITY_SCHEMES = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  personalToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'zkp_…',
    description: 'A personal token with the permission that the operation names beside it',
  },
  basicToken: {
    type: 'http',
    scheme: 'basic',
    description: 'The user name of the owner, and a personal token as the password',
  },
  accessTokenInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The access token, for clients that send no headers: EventSource of browsers',
  },
  temporaryToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The tempToken that a sign-in answered, for its second step',
  },
  refreshCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'refresh_token',
    description: 'Set by each sign-in, HttpOnly; counts for pages of this site and of CORS_ORIGINS',
  },
} as const

type SecurityScheme = keyof typeof SECURITY_SCHEMES

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a public route looks at by itself; it can also be called with none of them. */
    credentials?: readonly SecurityScheme[]
  }
}

/** Which credentials each access rule takes. */
const OF_ACCESS: Record<Access, SecurityScheme[]> = {
  public: [],
  user: ['accessToken'],
  admin: ['accessToken'],
  temp: ['temporaryToken'],
  'temp-or-user': ['temporaryToken', 'accessToken'],
  api: ['personalToken', 'accessToken'],
  'api-admin': ['personalToken', 'accessToken'],
}

/** Those that need the permission of the route, which stands in the place of a scope. */
const OF_TOKENS: ReadonlySet<SecurityScheme> = new Set(['personalToken', 'basicToken'])

/** The security requirements of a route: any one of them is enough, and `{}` is none. */
export function securityOf(access: Access, config: FastifyContextConfig) {
  const { tokenInQuery, basic, credentials, permission } = config
  const schemes = [
    ...OF_ACCESS[access],
    ...(basic ? (['basicToken'] as const) : []),
    ...(tokenInQuery ? (['accessTokenInQuery'] as const) : []),
    ...(credentials ?? []),
  ]
  const permissions = (scheme: SecurityScheme) => (permission && OF_TOKENS.has(scheme) ? [permission] : [])
  return [...schemes.map((scheme) => ({ [scheme]: permissions(scheme) })), ...(credentials ? [{}] : [])]
}
