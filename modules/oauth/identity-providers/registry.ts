import { unknownProvider } from '../errors.ts'
import { chatA } from './dingtalk.ts'
import { chatB } from './feishu.ts'
import { codehostA } from './github.ts'
import { codehostB } from './gitlab.ts'
import type { IdentityProvider, ProviderId } from './contract.ts'
import { custom } from './custom.ts'
import { openIdProvider } from './oidc.ts'

const oidc = openIdProvider({
  id: 'oidc',
  name: 'OpenID Connect',
  type: 'oidc',
  wellKnownUrl: null,
  scope: 'openid profile email',
})

const google = openIdProvider({
  id: 'idp_a',
  name: 'Google',
  type: 'oauth2',
  wellKnownUrl: 'https://accounts.google.com/.well-known/openid-configuration',
  scope: 'openid email profile',
})

/** In the order they are offered. */
export const identityProviders: readonly IdentityProvider[] = [
  oidc,
  custom,
  codehostA,
  codehostB,
  google,
  chatA,
  chatB,
]

const byId = new Map<string, IdentityProvider>(identityProviders.map((provider) => [provider.id, provider]))

export const identityProvider = (id: ProviderId): IdentityProvider => byId.get(id) as IdentityProvider

export const isProviderId = (id: string): id is ProviderId => byId.has(id)

/** Returns the provider of a path's id, or throws 404. */
export function known(id: string): ProviderId {
  if (!isProviderId(id)) throw unknownProvider(id)
  return id
}
