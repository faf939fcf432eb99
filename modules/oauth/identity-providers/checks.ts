import {
  authorizationCodeGrant,
  randomPKCECodeVerifier,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type Configuration,
} from 'openid-client'
import { IdentityError } from '../errors.ts'
import { codeText, stepping } from './client.ts'
import type { Check } from './contract.ts'

/** Runs one check and records its result; null if it failed. */
export async function trying<T>(
  checks: Check[],
  name: Check['name'],
  work: () => Promise<{ value: T; detail: string }>,
): Promise<T | null> {
  try {
    const { value, detail } = await work()
    checks.push({ name, ok: true, detail })
    return value
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error
    checks.push({ name, ok: false, detail: error.message })
    return null
  }
}

/** A code no provider has issued. */
export const NO_CODE = 'zonekeeper-connection-test'

/** Errors about the client, not the code: RFC 6749 section 5.2, and GitHub's. */
const CLIENT_ERRORS = new Set(['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'])

/** Errors about the redirect URI. */
const REDIRECT_ERRORS = new Set(['redirect_uri_mismatch', 'invalid_redirect_uri'])

export const credentialsRefused = 'The provider refuses the client id or client secret'
export const credentialsTaken = 'The provider accepts the client id and secret'
const redirectRefused = (redirectUri: string) =>
  `The redirect address is not registered at the provider: register ${redirectUri} there`

/** Requests a token with an invalid code: if the code is refused, the client was recognized. */
export async function checkCredentials(config: Configuration, redirectUri: string): Promise<Check> {
  const name = 'credentials'
  const url = new URL(`${redirectUri}?code=${NO_CODE}`)
  const issuer = config.serverMetadata()
  if (issuer.authorization_response_iss_parameter_supported === true)
    url.searchParams.set('iss', issuer.issuer)
  try {
    await stepping('Token', () =>
      authorizationCodeGrant(config, url, { pkceCodeVerifier: randomPKCECodeVerifier() }),
    )
    return { name, ok: false, detail: 'The provider accepted an invalid code' }
  } catch (error) {
    const { message, cause } = error as IdentityError
    if (cause instanceof WWWAuthenticateChallengeError) return { name, ok: false, detail: credentialsRefused }
    if (!(cause instanceof ResponseBodyError)) return { name, ok: false, detail: message }
    const { error: code } = cause
    if (CLIENT_ERRORS.has(code)) return { name, ok: false, detail: credentialsRefused }
    if (REDIRECT_ERRORS.has(code)) return { name, ok: false, detail: redirectRefused(redirectUri) }
    if (CODE_ERRORS.has(code)) return { name, ok: true, detail: credentialsTaken }
    return { name, ok: false, detail: `The provider answered ${codeText(code)}` }
  }
}

/** Errors for a refused code: RFC 6749 section 5.2, and GitHub's. */
const CODE_ERRORS = new Set(['invalid_grant', 'bad_verification_code'])
