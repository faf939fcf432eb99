import type { Installation } from '../../../plugins/installation.ts'
import { maskUserInfo } from '../../../plugins/security/configured-addresses.ts'
import { maskMiddle } from '../../../plugins/security/masks.ts'
import { identityProvider } from '../identity-providers/registry.ts'
import type { IdentityRow, ProviderRow, ProviderView } from '../queries.ts'
import { fieldsOf, nameOf, redirectUrlOf } from './settings.ts'

export const toPublicProvider = (row: ProviderRow) => ({
  providerId: row.provider_id,
  name: nameOf(row),
  type: identityProvider(row.provider_id).type,
})

export const toBinding = (row: IdentityRow & { name: string | null }) => ({
  providerId: row.provider_id,
  name: nameOf(row),
  subject: row.subject,
  displayName: row.display_name,
  email: row.email,
  avatar: row.avatar,
  boundAt: row.bound_at.toISOString(),
})

/** The administrative view, without the secret, not even masked. */
export const toProviderConfig = (row: ProviderView, installation: Pick<Installation, 'url'>) => ({
  id: row.id,
  providerId: row.provider_id,
  name: row.name,
  enabled: row.enabled,
  clientIdMasked: maskMiddle(row.client_id),
  scope: row.scope,
  wellKnownUrl: row.well_known_url,
  authorizeUrl: row.authorize_url,
  tokenUrl: row.token_url,
  userInfoUrl: row.user_info_url,
  // Stored before passwords in addresses were refused.
  issuer: row.issuer && maskUserInfo(row.issuer),
  tokenAuthMethod: row.token_auth_method,
  fields: fieldsOf(row),
  homepageUrl: installation.url,
  redirectUrl: redirectUrlOf(installation, row.provider_id),
  boundUsers: row.bound_users,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})
