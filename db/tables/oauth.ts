import type { Generated, JSONColumnType } from 'kysely'

/** The ids of the API. */
export type OAuthProviderId = 'oidc' | 'custom' | 'codehost_a' | 'codehost_b' | 'idp_a' | 'chat_a' | 'chat_b'

/** Where a user info answer holds what: names of members, dotted for one inside another. */
export interface ProfileFields {
  subject: string
  username: string | null
  displayName: string | null
  email: string | null
  /** A member that is true when the provider vouches for the address; null: it never does. */
  emailVerified: string | null
  avatar: string | null
}

/** Somebody as an identity provider knows them. Only `subject` tells who it is; all else is decoration. */
export interface ExternalIdentity {
  /** Never empty; the same for the same person for as long as the account there lives. */
  subject: string
  username: string | null
  displayName: string | null
  email: string | null
  emailVerified: boolean
  avatar: string | null
  /** Id of the session at the provider, by which it can be logged out. */
  session: string | null
}

export interface OAuthProvidersTable {
  id: string
  provider_id: OAuthProviderId
  /** What people see; null: the usual name. */
  name: string | null
  enabled: boolean
  client_id: string
  /** Sealed. */
  client_secret: Buffer
  scope: string
  well_known_url: string | null
  authorize_url: string | null
  token_url: string | null
  user_info_url: string | null
  /** What `iss` of a callback must be, where no discovery document says so. */
  issuer: string | null
  /** Null: as discovery says, else basic. */
  token_auth_method: 'basic' | 'post' | null
  /** Of a custom provider, where they are not the standard ones. */
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

/** A browser on its way through an identity provider: to sign in, or (with user and session) to bind. */
export interface OAuthFlowsTable {
  hash: Buffer
  provider_id: OAuthProviderId
  cookie_hash: Buffer
  user_id: string | null
  session_id: string | null
  /** Sealed: PKCE verifier and nonce. */
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

/** Somebody known to an identity provider who has no account here yet. */
export interface OAuthPendingTable {
  hash: Buffer
  provider_id: OAuthProviderId
  cookie_hash: Buffer
  identity: JSONColumnType<ExternalIdentity>
  expires_at: Date
}

/** Logout tokens that were used, as long as they could be sent again. */
export interface OAuthLogoutTokensTable {
  provider_id: OAuthProviderId
  hash: Buffer
  expires_at: Date
}
