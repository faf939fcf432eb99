import { openIdProvider } from './oidc.ts'

/** Google, with standard OpenID Connect. */
export const idpA = openIdProvider({
  id: 'idp_a',
  name: 'Google',
  type: 'oauth2',
  wellKnownUrl: 'https://accounts.google.com/.well-known/openid-configuration',
  scope: 'openid email profile',
})
