import { parseObject, where, type JsonObject } from '../flow/calls.ts'
import { failed } from '../errors.ts'
import { NO_CODE } from './checks.ts'
import type { IdentityProvider, AuthorizationFlow, ProviderSettings, HttpAccess } from './contract.ts'
import { requireEndpoints } from './oauth2.ts'
import { challengeOf, checkCredentialsBy, codeOf, requestAt } from './own-protocol.ts'
import { toIdentity } from './profile.ts'

/**
 * Feishu, or Lark with explicit endpoints (`open.larksuite.com`, `accounts.larksuite.com`). The token request
 * is JSON, and the `code` of each answer decides: many failures have status 200.
 */
export const chatB: IdentityProvider = {
  id: 'chat_b',
  name: 'Feishu / Lark',
  type: 'oauth2',
  defaults: {
    // Name and ids need none.
    scope: '',
    wellKnownUrl: null,
    authorizeUrl: 'https://accounts.feishu.cn/open-apis/authen/v1/authorize',
    tokenUrl: 'https://open.feishu.cn/open-apis/authen/v2/oauth/token',
    userInfoUrl: 'https://open.feishu.cn/open-apis/authen/v1/user_info',
  },
  needs: ['authorizeUrl', 'tokenUrl', 'userInfoUrl'],

  authorizationUrl: async (settings, flow) =>
    // S256 explicitly; otherwise the challenge would be treated as plain.
    requestAt(requireEndpoints(settings).authorizeUrl, settings, flow, await challengeOf(flow)),

  async identify(settings, flow, callback, httpAccess) {
    const answer = await askToken(settings, flow, codeOf(callback, ['code']), httpAccess)
    if (answer.token === null) throw failed(`Token: answered code ${answer.error}`)
    const url = requireEndpoints(settings).userInfoUrl
    const { code, data } = await httpAccess.calls.json({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${answer.token}` },
    })
    if (code !== 0 || typeof data !== 'object' || data === null) {
      throw failed(`User info: answered code ${typeof code === 'number' ? code : 'missing'}`)
    }
    const user = data as JsonObject
    return toIdentity({
      subject: subjectOf(user),
      displayName: user['name'],
      // Entered by administrators of the organization; not verified.
      email: user['email'] ?? user['enterprise_email'],
      avatar: user['avatar_url'],
    })
  },

  check: (settings, redirectUri, httpAccess) =>
    checkCredentialsBy(async () => {
      const flow = { redirectUri, state: '', nonce: '', codeVerifier: '' }
      const { error } = await askToken(settings, flow, NO_CODE, httpAccess)
      return CREDENTIAL_ERRORS.has(error)
    }),
}

/** Wrong secret; unknown app; app not enabled. */
const CREDENTIAL_ERRORS = new Set([20002, 20048, 20069])

/** One person in one organization: union_id is the same in all apps of a vendor, open_id is not. */
function subjectOf({ tenant_key: tenant, union_id: union }: JsonObject): string {
  for (const part of [tenant, union]) {
    if (typeof part !== 'string' || part === '') throw failed('User info has no union_id or no tenant_key')
  }
  return `${String(tenant)}:${String(union)}`
}

async function askToken(
  settings: ProviderSettings,
  { redirectUri, codeVerifier }: AuthorizationFlow,
  code: string,
  { calls }: HttpAccess,
): Promise<{ token: string; error: 0 } | { token: null; error: number }> {
  const url = requireEndpoints(settings).tokenUrl
  const { status, body } = await calls.request({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      client_id: settings.clientId,
      client_secret: settings.clientSecret,
      code,
      redirect_uri: redirectUri,
      ...(codeVerifier !== '' && { code_verifier: codeVerifier }),
    }),
  })
  const answer = parseObject(body)
  if (answer === null) throw failed(`${where(url)} answered ${status} without a JSON object`)
  const { code: error, access_token: token } = answer
  if (status === 200 && error === 0 && typeof token === 'string' && token !== '') return { token, error: 0 }
  if (typeof error === 'number' && error !== 0) return { token: null, error }
  throw failed(`${where(url)} answered ${status} without a token`)
}
