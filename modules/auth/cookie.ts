import type { FastifyReply, FastifyRequest } from 'fastify'
import { foreignOrigin } from './errors.ts'

const NAME = 'refresh_token'

export interface CookieSettings {
  siteUrl: string
  /** Origins whose pages may use the cookie: our own and those of CORS_ORIGINS. */
  origins: readonly string[]
}

/** Sets the refresh cookie; without `seconds` it ends with the browser. */
export function setRefreshCookie(
  reply: FastifyReply,
  cookieSettings: CookieSettings,
  token: string,
  seconds?: number,
): void {
  reply.setCookie(NAME, token, {
    ...attributes(cookieSettings),
    ...(seconds !== undefined && { maxAge: seconds }),
  })
}

export function clearRefreshCookie(reply: FastifyReply, cookieSettings: CookieSettings): void {
  reply.clearCookie(NAME, attributes(cookieSettings))
}

/**
 * The refresh token of the body, or of the cookie. The cookie comes along by itself, so it counts only
 * when a page of ours sent the request (or a client that is no browser, which names no origin).
 */
export function refreshTokenOf(
  request: FastifyRequest,
  cookieSettings: CookieSettings,
  inBody: string | undefined,
) {
  if (inBody !== undefined) return inBody
  const token = request.cookies[NAME]
  if (token === undefined) return undefined
  const { origin, 'sec-fetch-site': fetchSite } = request.headers
  const foreign = origin !== undefined ? !cookieSettings.origins.includes(origin) : fetchSite === 'cross-site'
  if (foreign) throw foreignOrigin()
  return token
}

const attributes = ({ siteUrl }: CookieSettings) => ({
  httpOnly: true,
  sameSite: 'strict' as const,
  path: '/api/auth',
  secure: siteUrl.startsWith('https:'),
})
