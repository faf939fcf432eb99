import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { originOf } from '../../plugins/security/access/index.ts'
import { addressOf } from '../../plugins/security/addresses.ts'
import type { Secrets } from '../../plugins/security/secrets.ts'
import { foreignOrigin } from './errors.ts'
import type { IssuedTokens } from './sessions.ts'
import type { SignedIn, SignInClient } from './sign-in.ts'

/* What sign-in knows of the client that sends a request, and the cookies it gives to a browser. */

const REFRESH_TOKEN = 'refresh_token'
const KNOWN_DEVICE = 'known_device'
const KNOWN_DEVICE_SECONDS = 180 * 24 * 3600

export interface CookieSettings {
  siteUrl: string
  /** Origins whose pages may use the cookie: SITE_URL and CORS_ORIGINS. */
  origins: readonly string[]
}

/** For cookies used only to sign in. */
const attributesOf = ({ siteUrl }: CookieSettings) => ({
  httpOnly: true,
  sameSite: 'strict' as const,
  path: '/api/auth',
  secure: siteUrl.startsWith('https:'),
})

/** Returns the client of a request that signs in. */
export const signInClientOf = (request: FastifyRequest, remember = false): SignInClient => ({
  ip: addressOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  origin: originOf(request, false),
  requestId: request.id,
  remember,
})

/** Sets the refresh cookie; returns the tokens of the answer. */
export function setRefreshCookie(
  reply: FastifyReply,
  cookieSettings: CookieSettings,
  { cookieSeconds, ...tokens }: IssuedTokens,
) {
  reply.setCookie(REFRESH_TOKEN, tokens.refreshToken, {
    ...attributesOf(cookieSettings),
    ...(cookieSeconds !== undefined && { maxAge: cookieSeconds }),
  })
  return tokens
}

export function clearRefreshCookie(reply: FastifyReply, cookieSettings: CookieSettings): void {
  reply.clearCookie(REFRESH_TOKEN, attributesOf(cookieSettings))
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
  const token = request.cookies[REFRESH_TOKEN]
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

/**
 * Gives a browser the cookies of a sign-in; returns the session's part of the answer. One cookie marks it as
 * a browser the user has signed in from. This grants nothing, but failed attempts from elsewhere don't count
 * for it and can't lock the owner out (OWASP: device cookies). Only the service can issue one, and it reveals
 * nothing about the user.
 */
export function startSessionIn(
  reply: FastifyReply,
  secrets: Secrets,
  cookieSettings: CookieSettings,
  { issued, user }: SignedIn,
) {
  const tokens = setRefreshCookie(reply, cookieSettings, issued)
  const nonce = randomBytes(16).toString('base64url')
  const device = `${nonce}.${Math.floor(Date.now() / 1000) + KNOWN_DEVICE_SECONDS}`
  reply.setCookie(KNOWN_DEVICE, `${device}.${macOf(secrets, user.id, device)}`, {
    ...attributesOf(cookieSettings),
    maxAge: KNOWN_DEVICE_SECONDS,
  })
  return { ...tokens, user }
}

/** Returns the device of the request if this user has signed in from it, otherwise null. */
export function knownDevice(request: FastifyRequest, secrets: Secrets, userId: string): string | null {
  const [nonce, expires, mac = ''] = request.cookies[KNOWN_DEVICE]?.split('.') ?? []
  const device = `${nonce}.${expires}`
  const given = Buffer.from(mac)
  const right = Buffer.from(macOf(secrets, userId, device))
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return Number(expires) * 1000 > Date.now() ? device : null
}

const macOf = (secrets: Secrets, userId: string, device: string) =>
  secrets.derive('known-device', `${userId} ${device}`)
