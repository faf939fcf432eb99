import type { FastifyReply, FastifyRequest } from 'fastify'
import { foreignOrigin } from './errors.ts'

const NAME = 'refresh_token'

export interface CookieSettings {
  siteUrl: string
  /** Origins whose pages may use the cookie: SITE_URL and CORS_ORIGINS. */
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
 * Returns the refresh token of the body or the cookie. Browsers send the cookie automatically, so it is
 * accepted only from pages of SITE_URL and CORS_ORIGINS, from the origin it was set on, or without an origin
 * (clients that are not browsers).
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
  // A browser that names a different site has already answered the question.
  return fetchSite !== undefined || origin !== `${protocol}://${host}`
}

/** For a cookie used only to sign in. */
export const attributesOf = ({ siteUrl }: CookieSettings) => ({
  httpOnly: true,
  sameSite: 'strict' as const,
  path: '/api/auth',
  secure: siteUrl.startsWith('https:'),
})
