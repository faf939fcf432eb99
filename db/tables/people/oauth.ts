import type { Generated, JSONColumnType } from 'kysely'

/** Ids used in the API. */
export type OAuthProviderId = 'oidc' | 'custom' | 'codehost_a' | 'codehost_b' | 'idp_a' | 'chat_a' | 'chat_b'

/** Which member of a user info answer holds which value; dots separate nested members. */
export interface ProfileFields {
  subject: string
  username: string | null
  displayName: string | null
  email: string | null
  /** A member that is true if the provider vouches for the address; null if it never does. */
  emailVerified: string | null
  avatar: string | null
}

/** A person as known to an identity provider. Only `subject` identifies them; the rest is for display. */
export interface ExternalIdentity {
  /** Never empty; stable for as long as the account at the provider exists. */
  subject: string
  username: string | null
  displayName: string | null
  email: string | null
  emailVerified: boolean
  avatar: string | null
  /** Session id at the provider, by which it can be logged out. */
  session: string | null
}

export interface OAuthProvidersTable {
  id: string
  provider_id: OAuthProviderId
  /** Display name; null for the default. */
  name: string | null
  enabled: boolean
  client_id: string
  /** Encrypted. */
  client_secret: Buffer
  scope: string
  well_known_url: string | null
  authorize_url: string | null
  token_url: string | null
  user_info_url: string | null
  /** Expected `iss` of a callback of a provider without a discovery document. */
  issuer: string | null
  /** Null follows the discovery document, else basic. */
  token_auth_method: 'basic' | 'post' | null
  /** Set for custom providers with non-standard values. */
  fields: JSONColumnType<Partial<ProfileFields>>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

export interface OAuthIdentitiesTable {
  id: string
  provider_id: OAuthProviderId
  subject: string
  user_id: string
  display_name: string | null
  email: string | null
  email_verified: boolean
  avatar: string | null
  bound_at: Generated<Date>
}

/**
 * A pending visit of a browser to an identity provider: to sign in, or (with user and session) to link an
 * identity.
 */
export interface OAuthFlowsTable {
  hash: Buffer
  provider_id: OAuthProviderId
  cookie_hash: Buffer
  user_id: string | null
  session_id: string | null
  /** Encrypted PKCE verifier and nonce. */
  secrets: Buffer
  expires_at: Date
}

export interface OAuthTicketsTable {
  hash: Buffer
  identity_id: string
  cookie_hash: Buffer
  external_session: string | null
  expires_at: Date
}

/** A person known to an identity provider, still without an account here. */
export interface OAuthPendingTable {
  hash: Buffer
  provider_id: OAuthProviderId
  cookie_hash: Buffer
  identity: JSONColumnType<ExternalIdentity>
  expires_at: Date
}

/** Logout tokens already used, kept as long as they could be replayed. */
export interface OAuthLogoutTokensTable {
  provider_id: OAuthProviderId
  hash: Buffer
  expires_at: Date
}
