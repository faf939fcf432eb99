import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomToken } from './flow.ts'

/** As long as the longest flow it protects: registering after the callback. */
const SECONDS = 15 * 60

const SHAPE = /^[A-Za-z0-9_-]{43}$/

/** With https, the prefix prevents subdomains and plain http from setting it (RFC 6265bis section 4.1.3). */
const nameFor = (siteUrl: string) => (siteUrl.startsWith('https:') ? '__Host-oauth_flow' : 'oauth_flow')

/** The cookie that ties state, ticket and pending token to the browser. */
export const flowCookieOf = (request: FastifyRequest, siteUrl: string): string | undefined => {
  const value = request.cookies[nameFor(siteUrl)]
  return value !== undefined && SHAPE.test(value) ? value : undefined
}

/**
 * Sets the cookie, or extends the existing one, because several tabs may be signing in. SameSite=Lax, because
 * the identity provider redirects from its own site; Path=/, because `/oauth/oidc` and `/api` need it.
 */
export function setFlowCookie(request: FastifyRequest, reply: FastifyReply, siteUrl: string): string {
  const value = flowCookieOf(request, siteUrl) ?? randomToken()
  reply.setCookie(nameFor(siteUrl), value, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: siteUrl.startsWith('https:'),
    maxAge: SECONDS,
  })
  return value
}
