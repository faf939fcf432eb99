import { authorizationCodeGrant, type Configuration, type ServerMetadata } from 'openid-client'
import type { HttpResponse } from '../../../plugins/outbound/http.ts'
import { parseObject, type JsonObject } from '../flow/calls.ts'
import { failed } from '../errors.ts'
import { checkCredentials, trying } from './checks.ts'
import { authorizationUrlOf, callbackUrl, clientOf, fetchBy, stepping } from './client.ts'
import type { Check, Endpoints, AuthorizationFlow, ProviderSettings, HttpAccess } from './contract.ts'

/**
 * OAuth 2.0 for providers without OpenID Connect. Their answers are first converted to RFC 6749 section 5:
 * some send a form instead of JSON, some an error with status 200.
 */

/** Endpoints from the configuration or its preset. */
export function serverBy(
  settings: ProviderSettings,
  issuer: string | null = settings.issuer,
): ServerMetadata {
  const { authorizeUrl, tokenUrl } = requireEndpoints(settings)
  return {
    issuer: issuer ?? new URL(authorizeUrl).origin,
    authorization_endpoint: authorizeUrl,
    token_endpoint: tokenUrl,
  }
}

export function requireEndpoints(settings: Endpoints) {
  const { authorizeUrl, tokenUrl, userInfoUrl } = settings
  if (authorizeUrl === null || tokenUrl === null || userInfoUrl === null) {
    throw failed('authorizeUrl, tokenUrl and userInfoUrl must be set')
  }
  return { authorizeUrl, tokenUrl, userInfoUrl }
}

function plainClient(
  server: ServerMetadata,
  settings: ProviderSettings,
  { calls }: HttpAccess,
): Configuration {
  const fetch = fetchBy(calls, (url, answer) => (url === server.token_endpoint ? tidyToken(answer) : answer))
  return clientOf(server, settings, fetch)
}

export const authorizationUrlBy = (
  server: ServerMetadata,
  settings: ProviderSettings,
  flow: AuthorizationFlow,
  httpAccess: HttpAccess,
): Promise<URL> => authorizationUrlOf(plainClient(server, settings, httpAccess), settings, flow)

/** Exchanges the callback for an access token. `iss` (RFC 9207) is compared only if the issuer is known. */
export async function redeemCode(
  server: ServerMetadata,
  settings: ProviderSettings,
  flow: AuthorizationFlow,
  callback: URLSearchParams,
  httpAccess: HttpAccess,
  knowsIssuer: boolean,
): Promise<string> {
  const query = new URLSearchParams(callback)
  if (!knowsIssuer) query.delete('iss')
  const { access_token: token } = await stepping('Token', () =>
    authorizationCodeGrant(plainClient(server, settings, httpAccess), callbackUrl(flow, query), {
      pkceCodeVerifier: flow.codeVerifier,
      expectedState: flow.state,
    }),
  )
  return token
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

export const fetchInfo = (
  url: string,
  token: string,
  { calls }: HttpAccess,
  headers: Record<string, string> = {},
): Promise<JsonObject> => calls.json({ method: 'GET', url, headers: { ...headers, ...bearer(token) } })

/** Keeps only the members used here: an unrequested ID token is ignored. */
function tidyToken(answer: HttpResponse): HttpResponse {
  const given = parseObject(answer.body) ?? parseForm(answer)
  if (given === null) return answer
  const { access_token: token, error } = given
  const isError = typeof error === 'string' && token === undefined
  const body = isError ? { error } : { access_token: token, token_type: given['token_type'] ?? 'bearer' }
  return {
    status: isError && answer.status < 400 ? 400 : answer.status,
    headers: { ...answer.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

function parseForm({ headers, body }: HttpResponse): JsonObject | null {
  const type = headers['content-type'] ?? ''
  const isForm = /^(application\/x-www-form-urlencoded|text\/plain)\b/i.test(type)
  if (!isForm || !/(^|&)(access_token|error)=/.test(body)) return null
  return Object.fromEntries(new URLSearchParams(body))
}

/**
 * Checks the token endpoint with the client's credentials, and the user info endpoint, which must require a
 * token.
 */
export async function checkPlain(
  server: ServerMetadata,
  settings: ProviderSettings,
  redirectUri: string,
  httpAccess: HttpAccess,
): Promise<Check[]> {
  const checks = [await checkCredentials(plainClient(server, settings, httpAccess), redirectUri)]
  await trying(checks, 'userInfo', async () => {
    const url = requireEndpoints(settings).userInfoUrl
    const { status } = await httpAccess.calls.request({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
    })
    if (status === 404 || status >= 500) throw failed(`The user info endpoint answers ${status}`)
    return { value: null, detail: 'The user info endpoint answers' }
  })
  return checks
}
