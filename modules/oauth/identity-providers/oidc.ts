import {
  authorizationCodeGrant,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type Configuration,
  type CustomFetch,
  type ServerMetadata,
} from 'openid-client'
import { parseObject, type JsonObject } from '../flow/calls.ts'
import { failed } from '../errors.ts'
import { checkCredentials, trying } from './checks.ts'
import { authorizationUrlOf, callbackUrl, clientOf, fetchBy, stepping, toResponse } from './client.ts'
import type { Check, IdentityProvider, ProviderSettings, HttpAccess } from './contract.ts'
import { isText, verifyLogoutToken } from './logout-token.ts'
import { readProfile } from './profile.ts'

/**
 * An OpenID provider with discovery: the ID token's signature, issuer, audience, nonce and times are checked
 * (OpenID Connect Core 1.0 section 3.1.3.7); user info is accepted only for the same subject (section 5.3.2).
 */
export function openIdProvider(
  preset: Pick<IdentityProvider, 'id' | 'name' | 'type'> & { wellKnownUrl: string | null; scope: string },
): IdentityProvider {
  const { id, name, type, wellKnownUrl, scope } = preset
  return {
    id,
    name,
    type,
    defaults: { scope, wellKnownUrl, authorizeUrl: null, tokenUrl: null, userInfoUrl: null },
    needs: ['wellKnownUrl'],

    async authorizationUrl(settings, flow, httpAccess) {
      const config = clientOf(await serverOf(settings, httpAccess), settings, fetchBy(httpAccess.calls))
      return authorizationUrlOf(config, settings, flow, { nonce: flow.nonce })
    },

    async identify(settings, flow, callback, httpAccess) {
      const server = await serverOf(settings, httpAccess)
      const config = verifyingClient(server, settings, httpAccess)
      const tokens = await stepping('Token', () =>
        authorizationCodeGrant(config, callbackUrl(flow, callback), {
          pkceCodeVerifier: flow.codeVerifier,
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          idTokenExpected: true,
        }),
      )
      const claims = tokens.claims()
      if (!claims) throw failed('The provider returned no ID token')
      // The library checks it only if there are several audiences.
      if (claims.azp !== undefined && claims.azp !== settings.clientId) {
        throw failed('The ID token was issued for another client')
      }
      const info: JsonObject =
        server.userinfo_endpoint === undefined
          ? {}
          : await stepping('User info', () => fetchUserInfo(config, tokens.access_token, claims.sub))
      const session = isText(claims['sid']) ? claims['sid'] : null
      return { ...readProfile(merge({ ...claims }, info), settings.fields), session }
    },

    verifyLogout: async (settings, token, httpAccess) =>
      verifyLogoutToken(await serverOf(settings, httpAccess), settings, token, httpAccess),

    check: (settings, redirectUri, httpAccess) => checkOpenId(settings, redirectUri, httpAccess),
  }
}

/** Merges the user info over the ID token; a statement about one address never applies to another. */
function merge(claims: JsonObject, info: JsonObject): JsonObject {
  const merged = { ...claims, ...info }
  if (merged['email'] !== claims['email'] && info['email_verified'] === undefined)
    delete merged['email_verified']
  return merged
}

/** Discovered metadata, with the configured endpoints replacing its own. */
async function serverOf(
  settings: ProviderSettings,
  { calls, metadata }: HttpAccess,
  renew = false,
): Promise<ServerMetadata> {
  const { wellKnownUrl, authorizeUrl, tokenUrl, userInfoUrl } = settings
  if (wellKnownUrl === null) throw failed('wellKnownUrl is not set')
  const document = await metadata.document(calls, wellKnownUrl, renew)
  return {
    ...document,
    ...(authorizeUrl !== null && { authorization_endpoint: authorizeUrl }),
    ...(tokenUrl !== null && { token_endpoint: tokenUrl }),
    ...(userInfoUrl !== null && { userinfo_endpoint: userInfoUrl }),
  }
}

/**
 * A client that also verifies the ID token's signature, with keys from our cache. The library's own cache
 * would refuse a key the provider created in the last minute; here an unknown key id fetches the set again
 * immediately.
 */
function verifyingClient(
  server: ServerMetadata,
  settings: ProviderSettings,
  httpAccess: HttpAccess,
): Configuration {
  let keyId: string | null = null
  const fetchAndLook = fetchBy(httpAccess.calls, (url, answer) => {
    if (url === server.token_endpoint) keyId = keyIdOf(parseObject(answer.body)?.['id_token'])
    return answer
  })
  const fetch: CustomFetch = async (url, options) => {
    if (url !== server.jwks_uri) return fetchAndLook(url, options)
    const keys = await httpAccess.metadata.keys(httpAccess.calls, url, keyId)
    return toResponse({ status: 200, headers: { 'content-type': 'application/json' }, body: keys })
  }
  const config = clientOf(server, settings, fetch)
  enableNonRepudiationChecks(config)
  return config
}

/** Only selects the key set; the signature decides. */
function keyIdOf(idToken: unknown): string | null {
  if (typeof idToken !== 'string') return null
  const header = parseObject(Buffer.from(idToken.split('.', 1)[0] ?? '', 'base64url').toString())
  return typeof header?.['kid'] === 'string' ? header['kid'] : null
}

async function checkOpenId(
  settings: ProviderSettings,
  redirectUri: string,
  httpAccess: HttpAccess,
): Promise<Check[]> {
  const checks: Check[] = []
  const server = await trying(checks, 'discovery', async () => {
    const found = await serverOf(settings, httpAccess, true)
    return { value: found, detail: `The issuer is ${found.issuer}` }
  })
  if (server === null) return checks
  await trying(checks, 'keys', async () => {
    const set = await httpAccess.metadata.keys(httpAccess.calls, server.jwks_uri ?? '', null, true)
    const { keys } = parseObject(set) as { keys: JsonObject[] }
    const count = keys.filter(({ kty, use }) => kty !== 'oct' && (use ?? 'sig') === 'sig').length
    if (count === 0) throw failed('There is no public key for signatures')
    return { value: null, detail: `${count} public keys for signatures` }
  })
  const config = clientOf(server, settings, fetchBy(httpAccess.calls))
  checks.push(await checkCredentials(config, redirectUri))
  return checks
}
