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
    ...attributesOf(cookieSettings),
    ...(seconds !== undefined && { maxAge: seconds }),
  })
}

export function clearRefreshCookie(reply: FastifyReply, cookieSettings: CookieSettings): void {
  reply.clearCookie(NAME, attributesOf(cookieSettings))
}

/**
 * The refresh token of the body, or of the cookie. The cookie comes along by itself, so it counts only
 * when a page of ours sent the request (or a client that is no browser, which names no origin): one of SITE_URL
 * and CORS_ORIGINS, or one that the service itself gave the browser at whatever name, to which the cookie is bound.
 */
export function refreshTokenOf(
  request: FastifyRequest,
  cookieSettings: CookieSettings,
  inBody: string | undefined,
) {
  if (inBody !== undefined) return inBody
  const token = request.cookies[NAME]
  if (token === undefined) return undefined
  if (isForeign(request, cookieSettings)) throw foreignOrigin()
  return token
}

function isForeign({ headers, protocol, host }: FastifyRequest, { origins }: CookieSettings): boolean {
  const { origin, 'sec-fetch-site': fetchSite } = headers
  if (fetchSite === 'same-origin') return false
  if (origin === undefined) return fetchSite === 'cross-site'
  if (origins.includes(origin)) return false
  // A browser that names the site has said already that it is another one.
  return fetchSite !== undefined || origin !== `${protocol}://${host}`
}

/** Of a cookie that is for signing in alone. */
export const attributesOf = ({ siteUrl }: CookieSettings) => ({
  httpOnly: true,
  sameSite: 'strict' as const,
  path: '/api/auth',
  secure: siteUrl.startsWith('https:'),
})
