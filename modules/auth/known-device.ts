import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Secrets } from '../../plugins/security/secrets.ts'
import { attributesOf, type CookieSettings } from './cookie.ts'

const NAME = 'known_device'
const SECONDS = 180 * 24 * 3600

/**
 * Marks the browser as one the user has signed in from. This grants nothing, but failed attempts from
 * elsewhere don't count for it and can't lock the owner out (OWASP: device cookies). Only the service can
 * issue one, and it reveals nothing about the user.
 */
export function setKnownDevice(
  reply: FastifyReply,
  secrets: Secrets,
  cookieSettings: CookieSettings,
  userId: string,
): void {
  const device = `${randomBytes(16).toString('base64url')}.${Math.floor(Date.now() / 1000) + SECONDS}`
  reply.setCookie(NAME, `${device}.${macOf(secrets, userId, device)}`, {
    ...attributesOf(cookieSettings),
    maxAge: SECONDS,
  })
}

/** Returns the device of the request if this user has signed in from it, otherwise null. */
export function knownDevice(request: FastifyRequest, secrets: Secrets, userId: string): string | null {
  const [nonce, expires, mac = ''] = request.cookies[NAME]?.split('.') ?? []
  const device = `${nonce}.${expires}`
  const given = Buffer.from(mac)
  const right = Buffer.from(macOf(secrets, userId, device))
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null
  return Number(expires) * 1000 > Date.now() ? device : null
}

const macOf = (secrets: Secrets, userId: string, device: string) =>
  secrets.derive('known-device', `${userId} ${device}`)
