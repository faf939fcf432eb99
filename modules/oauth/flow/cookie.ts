import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomToken } from './flow.ts'

/** As long as the longest of what it guards: registering after the callback. */
const SECONDS = 15 * 60

const SHAPE = /^[A-Za-z0-9_-]{43}$/

/** With https the prefix keeps sub-domains and plain http from planting one (RFC 6265bis section 4.1.3). */
const nameFor = (siteUrl: string) => (siteUrl.startsWith('https:') ? '__Host-oauth_flow' : 'oauth_flow')

/** The cookie that ties state, ticket and pending token to the browser. */
export const flowCookieOf = (request: FastifyRequest, siteUrl: string): string | undefined => {
  const value = request.cookies[nameFor(siteUrl)]
  return value !== undefined && SHAPE.test(value) ? value : undefined
}

/**
 * Gives the browser the cookie, or lengthens the one it has: several tabs may be on their way at once.
 * SameSite=Lax, since the identity provider sends the browser here from its own site; Path=/, since
 * `/oauth/oidc` and `/api` need it.
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
