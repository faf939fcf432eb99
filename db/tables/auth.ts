import type { Generated, JSONColumnType } from 'kysely'
import type { RecordType } from './records.ts'

/** What a personal token may be allowed to do. */
export type TokenPermission =
  | 'domains:read'
  | 'domains:write'
  | 'records:read'
  | 'records:write'
  | 'templates:read'
  | 'templates:write'
  | 'providers:read'
  | 'assignments:read'
  | 'assignments:write'
  | 'notifications:read'
  | 'notifications:write'
  | 'audit:read'
  | 'ddns:update'
  | 'acme:challenge'

/** Narrows what a token reaches; a field that is missing narrows nothing. */
export interface TokenRestrictions {
  domainIds?: string[]
  /** Patterns of host names, as in assignments: `@`, `app`, `*.dev`, `*`. */
  namePatterns?: string[]
  recordTypes?: RecordType[]
  /** Client addresses, as CIDR or single. */
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
  /** The sign-in at an identity provider that began it. */
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
  /** base64url, as WebAuthn gives it. */
  credential_id: string
  public_key: Buffer
  counter: string | number
  transports: string[]
  backed_up: boolean
  /** The authenticator verified its user while we knew them by other means: fit to sign in alone. */
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
  /** Null: made before it was kept, and not used since. */
  token_suffix: string | null
  permissions: TokenPermission[]
  /** Null: none. */
  restrictions: JSONColumnType<TokenRestrictions | null, string | null>
  expires_at: Date | null
  last_used_at: Date | null
  /** The token that took its place; it ends soon. */
  replaced_by: string | null
  /** When its owner was told that it ends. */
  reminded_at: Date | null
  created_at: Generated<Date>
}

/** A name whose TXT records a client of acme-dns may set, with a user name and a password of its own. */
export interface AcmeRegistrationsTable {
  /** Also what the client signs in as. */
  id: string
  user_id: string
  /** By which it was made, and without which it does not count. */
  token_id: string | null
  /** The same, made after a sign-in; both null: made so before this was kept. */
  session_id: string | null
  domain_id: string
  /** Relative to the domain. */
  name: string
  subdomain: string
  secret_hash: Buffer
  /** Client addresses as CIDR; none: all. */
  allow_from: string[]
  /** What it set last, the newest at the end. */
  recent_values: Generated<string[]>
  created_at: Generated<Date>
  last_used_at: Date | null
}
