import type { IdentityProvider } from './contract.ts'
import {
  authorizationUrlBy,
  checkPlain,
  fetchInfo,
  redeemCode,
  requireEndpoints,
  serverBy,
} from './oauth2.ts'
import { readProfile } from './profile.ts'

/** Any OAuth 2.0 server with a user info endpoint; the configuration maps its answer. */
export const custom: IdentityProvider = {
  id: 'custom',
  name: 'OAuth 2.0',
  type: 'oauth2',
  defaults: {
    scope: 'openid profile email',
    wellKnownUrl: null,
    authorizeUrl: null,
    tokenUrl: null,
    userInfoUrl: null,
  },
  needs: ['authorizeUrl', 'tokenUrl', 'userInfoUrl'],

  authorizationUrl: async (settings, flow, httpAccess) =>
    authorizationUrlBy(serverBy(settings), settings, flow, httpAccess),

  async identify(settings, flow, callback, httpAccess) {
    const knowsIssuer = settings.issuer !== null
    const token = await redeemCode(serverBy(settings), settings, flow, callback, httpAccess, knowsIssuer)
    const info = await fetchInfo(requireEndpoints(settings).userInfoUrl, token, httpAccess)
    return readProfile(info, settings.fields)
  },

  check: async (settings, redirectUri, httpAccess) =>
    checkPlain(serverBy(settings), settings, redirectUri, httpAccess),
}
