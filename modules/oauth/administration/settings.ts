import type { Secrets } from '../../../plugins/security/secrets.ts'
import type { Installation } from '../../../plugins/installation.ts'
import type { ProfileFields, ProviderId, ProviderSettings } from '../identity-providers/contract.ts'
import { STANDARD_FIELDS } from '../identity-providers/profile.ts'
import { identityProvider } from '../identity-providers/registry.ts'
import type { ProviderRow } from '../queries.ts'

/** Binds the encrypted client secret to its row. */
export const secretContext = (id: string) => `oauth_providers/${id}`

/** The row with its secret decrypted and the preset's defaults. */
export function settingsOf(row: ProviderRow, secrets: Secrets): ProviderSettings {
  const { defaults } = identityProvider(row.provider_id)
  return {
    clientId: row.client_id,
    clientSecret: secrets.open(row.client_secret, secretContext(row.id)),
    scope: row.scope,
    wellKnownUrl: row.well_known_url ?? defaults.wellKnownUrl,
    authorizeUrl: row.authorize_url ?? defaults.authorizeUrl,
    tokenUrl: row.token_url ?? defaults.tokenUrl,
    userInfoUrl: row.user_info_url ?? defaults.userInfoUrl,
    issuer: row.issuer,
    tokenAuthMethod: row.token_auth_method,
    fields: fieldsOf(row),
  }
}

export const fieldsOf = ({ fields }: Pick<ProviderRow, 'fields'>): ProfileFields => ({
  ...STANDARD_FIELDS,
  ...fields,
})

/**
 * Returns the callback address to register, the only one ever sent to the provider. It comes from SITE_URL;
 * request headers don't affect it.
 */
export const redirectUrlOf = ({ url }: Pick<Installation, 'url'>, providerId: ProviderId): string =>
  providerId === 'oidc' || providerId === 'custom'
    ? `${url}/oauth/oidc`
    : `${url}/api/auth/oauth/${providerId}/callback`

/** Display name. */
export const nameOf = (row: { provider_id: ProviderId; name: string | null }): string =>
  row.name ?? identityProvider(row.provider_id).name
