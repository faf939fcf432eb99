import type { Generated } from 'kysely'

/** Table types, by area. Column names are the database's; mappers turn rows into the wire's shapes. */
export interface Database {
  settings: SettingsTable
  users: UsersTable
  sessions: SessionsTable
  refresh_tokens: RefreshTokensTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  sign_in_challenges: SignInChallengesTable
  webauthn_challenges: WebauthnChallengesTable
  mail_tokens: MailTokensTable
  personal_tokens: PersonalTokensTable
  invitations: InvitationsTable
  oauth_providers: OAuthProvidersTable
  oauth_identities: OAuthIdentitiesTable
  oauth_flows: OAuthFlowsTable
  oauth_tickets: OAuthTicketsTable
  oauth_pending: OAuthPendingTable
  provider_configs: ProviderConfigsTable
  domains: DomainsTable
  domain_lists: DomainListsTable
  assignments: AssignmentsTable
  assignment_requests: AssignmentRequestsTable
  expiry_reminders: ExpiryRemindersTable
  channel_configs: ChannelConfigsTable
  deliveries: DeliveriesTable
  records: RecordsTable
  changes: ChangesTable
  change_items: ChangeItemsTable
  name_locks: NameLocksTable
  audit: AuditTable
  idempotency_keys: IdempotencyKeysTable
}

export interface SettingsTable {
  key: string
  value: Buffer
}

export interface UsersTable {
  id: string
  username: string
  email: string | null
  email_verified: boolean
  password_hash: string | null
  role: 'admin' | 'member'
  display_name: string | null
  nickname: string | null
  avatar_url: string | null
  notifications_enabled: boolean
  email_notifications_enabled: boolean
  disabled_at: Date | null
  /** Sealed. */
  totp_secret: Buffer | null
  totp_enabled: Generated<boolean>
  /** The last time step whose code was taken; none at or before it counts again. */
  totp_last_step: Generated<string>
  email_codes_enabled: Generated<boolean>
  /** Wrong codes of any factor, counted from `factor_failures_since`. */
  factor_failures: Generated<number>
  factor_failures_since: Date | null
  last_login_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
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
}

export interface WebauthnChallengesTable {
  challenge: string
  ceremony: 'register' | 'login'
  user_id: string | null
  expires_at: Date
}

export interface MailTokensTable {
  hash: Buffer
  purpose: 'password_reset' | 'email_change' | 'email_codes'
  user_id: string
  email: string
  tries: Generated<number>
  created_at: Generated<Date>
  expires_at: Date
}

export interface PersonalTokensTable {
  id: string
  user_id: string
  name: string
  hash: Buffer
  token_prefix: string
  permissions: string[]
  restrictions: unknown
  expires_at: Date | null
  last_used_at: Date | null
  created_at: Generated<Date>
}

export interface InvitationsTable {
  id: string
  code_hash: Buffer
  code_prefix: string
  role: 'admin' | 'member'
  email: string | null
  max_uses: number
  uses: Generated<number>
  created_by: string | null
  /** The code went to `email` by mail: who has it reads that mailbox. */
  mailed: Generated<boolean>
  expires_at: Date | null
  revoked_at: Date | null
  created_at: Generated<Date>
}

/** The ids of the API. */
export type OAuthProviderId = 'oidc' | 'custom' | 'codehost_a' | 'codehost_b' | 'idp_a' | 'chat_a' | 'chat_b'

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
  /** Where a custom provider's user info holds what: JSON object, a dotted path each. */
  fields: unknown
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
  expires_at: Date
}

/** Somebody known to an identity provider who has no account here yet. */
export interface OAuthPendingTable {
  hash: Buffer
  provider_id: OAuthProviderId
  cookie_hash: Buffer
  identity: unknown
  expires_at: Date
}

export interface ProviderConfigsTable {
  id: string
  provider: string
  name: string
  owner_id: string
  credentials: Buffer
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

export interface DomainsTable {
  id: string
  name: string
  unicode_name: string
  provider_id: string
  provider_config_id: string
  zone_id: string
  owner_id: string
  group_name: string
  tags: string[]
  notes: string
  expires_at: Date | null
  expiring_at: Date | null
  expiry_source: 'manual' | 'rdap' | 'whois' | null
  expiry_checked_at: Date | null
  /** The registry's status words, as EPP has them: `clientTransferProhibited`. */
  epp_status: Generated<string[]>
  /** When reminders of this domain are to be looked at next; null while nothing can become due. */
  reminder_due_at: Date | null
  /** When the date is looked up again; null where it is not looked up by itself. */
  expiry_check_due_at: Date | null
  expiry_remind_days: number[]
  auto_check_expiry: boolean
  name_servers: string[]
  registrar: string | null
  default_ttl: number
  record_count: Generated<number>
  record_version: Generated<number>
  last_synced_at: Date | null
  last_sync_error: string | null
  last_sync_error_at: Date | null
  sync_lease_until: Date | null
  /** Minutes between automatic syncs; null: none. */
  sync_interval: number | null
  sync_due_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** For each viewer how many domains they see, and a version that rises when one of those changes. */
export interface DomainListsTable {
  viewer: string
  total: number
  version: number
}

/** A part of a domain, or the whole of it (pattern `*`), in the hands of a user. */
export interface AssignmentsTable {
  id: string
  user_id: string
  domain_id: string
  /** See dns/name-patterns. */
  pattern: string
  permission: 'read' | 'write'
  /** What may be changed; null: all but NS at the apex. */
  record_types: string[] | null
  expires_at: Date | null
  created_by: string | null
  created_at: Generated<Date>
}

export interface AssignmentRequestsTable {
  id: string
  user_id: string
  domain_id: string
  pattern: string
  permission: 'read' | 'write'
  reason: string
  status: 'pending' | 'approved' | 'rejected' | 'cancelled'
  decided_by: string | null
  decided_at: Date | null
  decision_reason: string | null
  assignment_id: string | null
  created_at: Generated<Date>
}

/** What was said, or is to be said, about one expiry date of a domain. */
export interface ExpiryRemindersTable {
  domain_id: string
  expires_at: Date
  /** The lead time that was passed; -1: the date itself. */
  lead_days: number
  /** Of the event that says it; the same for every try. */
  event_id: string
  /** Null: not said yet. */
  announced_at: Date | null
  /** Until then one instance is saying it; afterwards any may. */
  lease_until: Generated<Date>
  created_at: Generated<Date>
}

export interface ChannelConfigsTable {
  id: string
  channel: 'chat_a' | 'chat_b' | 'email' | 'webhook' | 'web'
  name: string
  /** Sealed JSON: addresses of robots are secrets too. */
  config: Buffer
  events: string[]
  enabled: boolean
  last_delivery_at: Date | null
  last_delivery_ok: boolean | null
  last_delivery_error: string | null
  /** After a failure nothing is sent before. */
  next_try_at: Generated<Date>
  /** When the messages so far would have been sent at an even pace: how far ahead it may be is the burst. */
  paced_until: Generated<Date>
  /** Tries in vain since the last success or change. */
  failures: Generated<number>
  /** Whose turn it is to send, and until when nobody else takes it. */
  turn_of: string | null
  turn_until: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** The outbox: one event for one channel. */
export interface DeliveriesTable {
  id: string
  channel_id: string
  event_id: string
  event: string
  message: unknown
  status: 'pending' | 'delivered' | 'dead'
  tries: Generated<number>
  next_try_at: Generated<Date>
  last_try_at: Date | null
  last_error: string | null
  delivered_at: Date | null
  created_at: Generated<Date>
}

export interface RecordsTable {
  id: string
  domain_id: string
  name: string
  type: string
  value: string
  ttl: number
  priority: number | null
  proxied: boolean
  status: 'active' | 'pending' | 'failed'
  /** On its way out: no longer counts for the constraints, so that its successor can be reserved. */
  deleting: boolean
  provider_record_id: string | null
  version: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

export interface ChangesTable {
  id: string
  domain_id: string
  actor_id: string | null
  actor_name: string
  source: string
  status: 'pending' | 'applied' | 'partial' | 'failed'
  /** Until then the instance that made it settles it; afterwards anyone. */
  lease_until: Date
  created_at: Generated<Date>
  settled_at: Date | null
}

export interface ChangeItemsTable {
  change_id: string
  position: number
  action: 'create' | 'update' | 'delete'
  record_id: string
  name: string
  type: string
  before: unknown
  after: unknown
  outcome: 'pending' | 'applied' | 'failed'
  error: string | null
}

export interface NameLocksTable {
  domain_id: string
  name: string
  change_id: string
}

export interface AuditTable {
  id: string
  at: Generated<Date>
  actor_id: string | null
  actor_name: string
  ip: string | null
  request_id: string | null
  action: string
  target_type: string
  target_id: string | null
  target_name: string | null
  before: unknown
  after: unknown
}

export interface IdempotencyKeysTable {
  user_id: string
  key: string
  request_hash: Buffer
  status: number | null
  headers: unknown
  body: string | null
  created_at: Generated<Date>
}
