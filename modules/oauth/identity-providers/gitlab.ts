import { failed } from '../errors.ts'
import type { IdentityProvider, ProviderSettings } from './contract.ts'
import {
  authorizationUrlBy,
  checkPlain,
  fetchInfo,
  redeemCode,
  requireEndpoints,
  serverBy,
} from './oauth2.ts'
import { openIdProvider } from './oidc.ts'
import { toIdentity } from './profile.ts'

const openId = openIdProvider({
  id: 'codehost_b',
  name: 'GitLab',
  type: 'oauth2',
  wellKnownUrl: 'https://gitlab.com/.well-known/openid-configuration',
  scope: 'openid profile email',
})

/**
 * GitLab. Normally OpenID Connect; with the user info endpoint `…/api/v4/user`, its REST API (scope
 * `read_user`), which also reports blocked accounts.
 */
export const codehostB: IdentityProvider = {
  ...openId,

  authorizationUrl: async (settings, flow, httpAccess) =>
    usesRest(settings)
      ? authorizationUrlBy(server(settings), settings, flow, httpAccess)
      : openId.authorizationUrl(settings, flow, httpAccess),

  async identify(settings, flow, callback, httpAccess) {
    if (!usesRest(settings)) return openId.identify(settings, flow, callback, httpAccess)
    const token = await redeemCode(server(settings), settings, flow, callback, httpAccess, true)
    const user = await fetchInfo(requireEndpoints(withPaths(settings)).userInfoUrl, token, httpAccess)
    if (user['state'] !== 'active' || user['locked'] === true)
      throw failed('The account is blocked or locked')
    if (typeof user['id'] !== 'number') throw failed('The user has no numeric id')
    return toIdentity({
      subject: user['id'],
      username: user['username'],
      displayName: user['name'],
      // The API does not report reliably whether it was verified.
      email: user['email'],
      avatar: user['avatar_url'],
    })
  },

  check: async (settings, redirectUri, httpAccess) =>
    usesRest(settings)
      ? checkPlain(server(settings), withPaths(settings), redirectUri, httpAccess)
      : openId.check(settings, redirectUri, httpAccess),
}

const usesRest = ({ userInfoUrl }: ProviderSettings) => userInfoUrl?.endsWith('/api/v4/user') === true

/** The installation's address is the issuer. */
const server = (settings: ProviderSettings) => {
  const { authorizeUrl } = withPaths(settings)
  return serverBy(withPaths(settings), settings.issuer ?? authorizeUrl.replace(/\/oauth\/authorize$/, ''))
}

/** Missing endpoints are GitLab's defaults, next to the API. */
function withPaths(settings: ProviderSettings) {
  const base = (settings.userInfoUrl ?? '').slice(0, -'/api/v4/user'.length)
  return {
    ...settings,
    authorizeUrl: settings.authorizeUrl ?? `${base}/oauth/authorize`,
    tokenUrl: settings.tokenUrl ?? `${base}/oauth/token`,
  }
}
