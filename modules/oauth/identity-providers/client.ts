import {
  allowInsecureRequests,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  type CustomFetch,
  type ServerMetadata,
} from 'openid-client'
import type { HttpResponse } from '../../../plugins/outbound/http.ts'
import { isLoopbackHttp, type Calls } from '../flow/calls.ts'
import { failed, IdentityError } from '../errors.ts'
import type { AuthorizationFlow, ProviderSettings } from './contract.ts'

/** openid-client for one flow, with our outbound calls and client authentication. */
export function clientOf(
  server: ServerMetadata,
  settings: ProviderSettings,
  fetch: CustomFetch,
): Configuration {
  const authenticate = methodOf(server, settings) === 'post' ? ClientSecretPost : ClientSecretBasic
  const config = new Configuration(server, settings.clientId, {}, authenticate(settings.clientSecret))
  config[customFetch] = fetch
  const endpoints = [server.token_endpoint, server.userinfo_endpoint, server.jwks_uri]
  if (endpoints.some((url) => url !== undefined && isLoopbackHttp(url))) allowInsecureRequests(config)
  return config
}

function methodOf(server: ServerMetadata, { tokenAuthMethod }: ProviderSettings): 'basic' | 'post' {
  if (tokenAuthMethod !== null) return tokenAuthMethod
  const supported = server.token_endpoint_auth_methods_supported
  return supported === undefined || supported.includes('client_secret_basic') ? 'basic' : 'post'
}

/**
 * Returns the authorization request with PKCE (RFC 7636 section 4.3, always S256). Rejects with
 * IdentityError.
 */
export async function authorizationUrlOf(
  config: Configuration,
  { scope }: ProviderSettings,
  { redirectUri, state, codeVerifier }: AuthorizationFlow,
  more: Record<string, string> = {},
): Promise<URL> {
  const challenge = await calculatePKCECodeChallenge(codeVerifier)
  return stepping('Authorization', async () =>
    buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...more,
    }),
  )
}

/**
 * Returns the callback for openid-client, which takes the redirect URI of the token request from it: the
 * address is ours, and only the query comes from outside.
 */
export const callbackUrl = ({ redirectUri }: AuthorizationFlow, callback: URLSearchParams) =>
  new URL(`${redirectUri}?${callback.toString()}`)

/** openid-client's `fetch` with the guarded outbound client. `look` sees each answer and can replace it. */
export const fetchBy =
  (
    calls: Calls,
    look: (url: string, answer: HttpResponse) => HttpResponse = (_, answer) => answer,
  ): CustomFetch =>
  async (url, { method, headers, body }) => {
    const text = body === null || body === undefined ? undefined : bodyText(body)
    const answer = await calls.request({ method, url, headers, ...(text !== undefined && { body: text }) })
    return toResponse(look(url, answer))
  }

function bodyText(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  throw failed('Unsupported request body')
}

export function toResponse({ status, headers, body }: HttpResponse): Response {
  if (status < 200 || status > 599) throw failed(`The provider answered ${status}`)
  const empty = [204, 205, 304].includes(status)
  return new Response(empty ? null : body, {
    status,
    headers: { 'content-type': headers['content-type'] ?? '', ...challenge(headers) },
  })
}

const challenge = (headers: Record<string, string>) =>
  headers['www-authenticate'] === undefined ? {} : { 'www-authenticate': headers['www-authenticate'] }

/** OAuth error codes (RFC 6749 section 5.2 and provider extensions); anything else is not shown. */
const CODE = /^[A-Za-z0-9_.-]{1,60}$/

export const codeText = (code: string) => (CODE.test(code) ? code : 'an error')

/** Runs a protocol step; turns every rejection into an IdentityError. */
export async function stepping<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toIdentityError(step, error)
  }
}

function toIdentityError(step: string, error: unknown): IdentityError {
  const inner = error instanceof Error ? error.cause : undefined
  for (const candidate of [error, inner]) if (candidate instanceof IdentityError) return candidate
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') return new IdentityError('denied', 'access_denied')
    return failed(`The provider sent the browser back with ${codeText(error.error)}`, error)
  }
  if (error instanceof ResponseBodyError) return failed(`${step}: answered ${codeText(error.error)}`, error)
  if (error instanceof WWWAuthenticateChallengeError) {
    return failed(`${step}: answered ${error.status}`, error)
  }
  // Only the library's text: the causes contain remote data and are not shown.
  const details = [error, inner].filter((part) => part instanceof Error).map((part) => part.message)
  return failed(`${step}: ${details.join(': ')}`, error)
}
