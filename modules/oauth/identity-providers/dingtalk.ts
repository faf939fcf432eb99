import { parseObject, where } from '../flow/calls.ts'
import { failed } from '../errors.ts'
import { NO_CODE } from './checks.ts'
import { codeText } from './client.ts'
import type { IdentityProvider, ProviderSettings, HttpAccess } from './contract.ts'
import { requireEndpoints } from './oauth2.ts'
import { checkCredentialsBy, codeOf, requestAt } from './own-protocol.ts'
import { toIdentity } from './profile.ts'

/**
 * DingTalk. Its token endpoint uses JSON in camel case, and its user info takes the token in a header of its
 * own. It supports neither PKCE nor nonce: only the state ties the code to the browser.
 */
export const chatA: IdentityProvider = {
  id: 'chat_a',
  name: 'DingTalk',
  type: 'oauth2',
  defaults: {
    scope: 'openid',
    wellKnownUrl: null,
    authorizeUrl: 'https://login.dingtalk.com/oauth2/auth',
    tokenUrl: 'https://api.dingtalk.com/v1.0/oauth2/userAccessToken',
    userInfoUrl: 'https://api.dingtalk.com/v1.0/contact/users/me',
  },
  needs: ['authorizeUrl', 'tokenUrl', 'userInfoUrl'],

  authorizationUrl: async (settings, flow) =>
    requestAt(requireEndpoints(settings).authorizeUrl, settings, flow, { prompt: 'consent' }),

  async identify(settings, _flow, callback, httpAccess) {
    // The documentation says authCode; the servers also send code.
    const answer = await askToken(settings, codeOf(callback, ['authCode', 'code']), httpAccess)
    if (answer.token === null) throw failed(`Token: answered ${codeText(answer.error)}`)
    const user = await httpAccess.calls.json({
      method: 'GET',
      url: requireEndpoints(settings).userInfoUrl,
      headers: { 'x-acs-dingtalk-access-token': answer.token },
    })
    return toIdentity({
      // openId differs for each app.
      subject: user['unionId'],
      displayName: user['nick'],
      // Nothing says that it was verified.
      email: user['email'],
      avatar: user['avatarUrl'],
    })
  },

  check: (settings, _redirectUri, httpAccess) =>
    checkCredentialsBy(async () => {
      const { error } = await askToken(settings, NO_CODE, httpAccess)
      return /client|appkey|app_?secret|secret/i.test(error)
    }),
}

async function askToken(
  settings: ProviderSettings,
  code: string,
  { calls }: HttpAccess,
): Promise<{ token: string; error: '' } | { token: null; error: string }> {
  const url = requireEndpoints(settings).tokenUrl
  const { status, body } = await calls.request({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      clientId: settings.clientId,
      clientSecret: settings.clientSecret,
      code,
      grantType: 'authorization_code',
    }),
  })
  const answer = parseObject(body)
  if (answer === null) throw failed(`${where(url)} answered ${status} without a JSON object`)
  const { accessToken: token, code: error } = answer
  if (status === 200 && typeof token === 'string' && token !== '') return { token, error: '' }
  // Sources differ on whether it is a string or a number.
  if (typeof error === 'string' || typeof error === 'number') return { token: null, error: String(error) }
  throw failed(`${where(url)} answered ${status} without a token`)
}
