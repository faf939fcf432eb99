import {
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JSONWebKeySet,
  type JWTPayload,
} from 'jose'
import type { ServerMetadata } from 'openid-client'
import { failed } from '../errors.ts'
import type { ExternalLogout, HttpAccess, ProviderSettings } from './contract.ts'

/** Maximum age of a token, and so the time used ids must be remembered. */
export const MAX_AGE_SECONDS = 300
export const CLOCK_TOLERANCE_SECONDS = 30

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const MAX_TEXT_LENGTH = 255

/** Public key signatures. A shared secret or no signature proves nothing here. */
const ALGORITHMS = new Set([
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
])

/**
 * Validates a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.6), except for reuse. Rejects
 * with IdentityError.
 */
export async function verifyLogoutToken(
  server: ServerMetadata,
  settings: ProviderSettings,
  token: string,
  { calls, metadata }: HttpAccess,
): Promise<ExternalLogout> {
  const keyId = keyIdOf(token)
  const keySet = JSON.parse(await metadata.keys(calls, server.jwks_uri ?? '', keyId)) as JSONWebKeySet
  const supported = server.id_token_signing_alg_values_supported ?? ['RS256']
  let payload: JWTPayload
  try {
    const verified = await jwtVerify(token, createLocalJWKSet(keySet), {
      issuer: server.issuer,
      audience: settings.clientId,
      algorithms: supported.filter((algorithm) => ALGORITHMS.has(algorithm)),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS,
      requiredClaims: ['iss', 'aud', 'iat', 'exp', 'jti', 'events'],
    })
    const { typ } = verified.protectedHeader
    if (typ !== undefined && !['logout+jwt', 'jwt'].includes(typ.toLowerCase())) {
      throw failed('The token has the wrong type')
    }
    payload = verified.payload
  } catch (error) {
    if (error instanceof errors.JOSEError) throw failed(`The logout token is not valid: ${error.code}`, error)
    throw error
  }
  return readClaims(payload)
}

function readClaims(payload: JWTPayload): ExternalLogout {
  const { jti, sub, sid, events } = payload
  if ('nonce' in payload) throw failed('The logout token has a nonce')
  if (!isObject(events) || !isObject(events[EVENT])) throw failed('The token is not about a logout')
  if (!isText(jti)) throw failed('The logout token has no usable id')
  if (sub === undefined && sid === undefined)
    throw failed('The logout token names neither subject nor session')
  if ((sub !== undefined && !isText(sub)) || (sid !== undefined && !isText(sid)))
    throw failed('The logout token has an unusable subject or session')
  return { tokenId: jti, subject: sub ?? null, session: sid ?? null }
}

/** Only selects the key set; the signature decides. */
function keyIdOf(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? null
  } catch (error) {
    throw failed('The logout token is not a JSON Web Token', error)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An id that can be stored and compared. */
export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH && !value.includes('\0')
