import type { Generated, JSONColumnType } from 'kysely'
import type { RecordType } from '../zones/records.ts'

/** The permissions a personal token can have. */
export type TokenPermission =
  | 'domains:read'
  | 'domains:write'
  | 'records:read'
  | 'records:write'
  | 'changes:review'
  | 'changes:apply'
  | 'templates:read'
  | 'templates:write'
  | 'providers:read'
  | 'providers:write'
  | 'providers:test'
  | 'assignments:read'
  | 'assignments:write'
  | 'notifications:read'
  | 'notifications:write'
  | 'channels:read'
  | 'channels:write'
  | 'audit:read'
  | 'tokens:read'
  | 'tokens:revoke'
  | 'ddns:update'
  | 'acme:challenge'

/** Restrictions of a token; a missing field restricts nothing. */
export interface TokenRestrictions {
  domainIds?: string[]
  /** Patterns of host names, as in assignments: `@`, `app`, `*.dev`, `*`. */
  namePatterns?: string[]
  recordTypes?: RecordType[]
  /** Client addresses, single or CIDR. */
  ipRanges?: string[]
}

export interface SessionsTable {
  id: string
  user_id: string
  remember: boolean
  ip: string
  user_agent: string
  created_at: Generated<Date>
  last_used_at: Generated<Date>
  expires_at: Date
  /** The identity provider's sign-in that started the session. */
  external_provider: string | null
  external_subject: string | null
  external_session: string | null
}

export interface RefreshTokensTable {
  hash: Buffer
  session_id: string
  created_at: Generated<Date>
  rotated_at: Date | null
}

export interface RecoveryCodesTable {
  user_id: string
  hash: Buffer
  used_at: Date | null
}

export interface PasskeysTable {
  id: string
  user_id: string
  name: string
  /** base64url, as in WebAuthn. */
  credential_id: string
  public_key: Buffer
  counter: string | number
  transports: string[]
  backed_up: boolean
  /**
   * The authenticator verified its user while they were signed in by other means; the passkey may be used
   * alone.
   */
  user_verified: boolean
  created_at: Generated<Date>
  last_used_at: Date | null
}

export interface SignInChallengesTable {
  id: string
  user_id: string
  remember: boolean
  tries: Generated<number>
  email_code_hash: Buffer | null
  email_code_sent_at: Date | null
  webauthn_challenge: string | null
  expires_at: Date
  external_provider: string | null
  external_subject: string | null
  external_session: string | null
}

export interface WebauthnChallengesTable {
  challenge: string
  ceremony: 'register' | 'login'
  user_id: string | null
  expires_at: Date
}

export interface PersonalTokensTable {
  id: string
  user_id: string
  name: string
  hash: Buffer
  token_prefix: string
  /** Null for tokens created before this was stored and not used since. */
  token_suffix: string | null
  permissions: TokenPermission[]
  /** Null without one. */
  restrictions: JSONColumnType<TokenRestrictions | null, string | null>
  expires_at: Date | null
  last_used_at: Date | null
  /** The token that replaced this one, which expires soon. */
  replaced_by: string | null
  /** When the owner was notified of the expiry. */
  reminded_at: Date | null
  created_at: Generated<Date>
}

/** A name whose TXT records an acme-dns client may set, with its own user name and password. */
export interface AcmeRegistrationsTable {
  /** Also the client's user name. */
  id: string
  user_id: string
  /** The token it was created with; it is valid only as long as that token. */
  token_id: string | null
  /** The session it was created in; both are null if it was created before this was stored. */
  session_id: string | null
  domain_id: string
  /** Relative to the domain. */
  name: string
  subdomain: string
  secret_hash: Buffer
  /** Client addresses as CIDR; empty means all. */
  allow_from: string[]
  /** The last values set, newest last. */
  recent_values: Generated<string[]>
  created_at: Generated<Date>
  last_used_at: Date | null
}

/** A key with which programs sign DNS updates for a personal token (RFC 8945). */
export interface TsigKeysTable {
  id: string
  /** The key is valid as long as this token, with its permissions. */
  token_id: string
  /** A canonical DNS name. */
  name: string
  algorithm: 'hmac-sha256' | 'hmac-sha384' | 'hmac-sha512'
  /** Base64, encrypted. */
  secret: Buffer
  created_at: Generated<Date>
  last_used_at: Date | null
}

/** A signed message that changes something, kept while its signature is valid. */
export interface SignedMessagesTable {
  key_id: string
  mac: Buffer
  /** Its answer; null: not known, because an instance is working on it or died. */
  rcode: number | null
  expires_at: Date
}
