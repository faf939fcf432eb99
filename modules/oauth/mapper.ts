import type { Site } from '../../plugins/site.ts'
import { identityProvider } from './providers/registry.ts'
import type { IdentityRow, ProviderRow, ProviderView } from './queries.ts'
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

/** The administrative view; the secret has no part in it, not even masked. */
export const toProviderConfig = (row: ProviderView, site: Pick<Site, 'url'>) => ({
  id: row.id,
  providerId: row.provider_id,
  name: row.name,
  enabled: row.enabled,
  clientIdMasked: maskClientId(row.client_id),
  scope: row.scope,
  wellKnownUrl: row.well_known_url,
  authorizeUrl: row.authorize_url,
  tokenUrl: row.token_url,
  userInfoUrl: row.user_info_url,
  issuer: row.issuer,
  tokenAuthMethod: row.token_auth_method,
  fields: fieldsOf(row),
  homepageUrl: site.url,
  redirectUrl: redirectUrlOf(site, row.provider_id),
  boundUsers: row.bound_users,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

/** Never more than the first and the last four characters, and most of it stays hidden. */
export function maskClientId(clientId: string): string {
  const shown = Math.min(4, Math.floor(clientId.length / 4))
  return `${clientId.slice(0, shown)}••••${shown === 0 ? '' : clientId.slice(-shown)}`
}
