import type { Database } from './tables.ts'

type Columns<T extends keyof Database> = `${T}.${keyof Database[T] & string}`[]

/**
 * All columns of a table, each by its name, instead of `*`: a column that a newer version of the service
 * adds while this one runs changes no answer here.
 */
const columns = <T extends keyof Database>(table: T, names: Record<keyof Database[T], true>): Columns<T> =>
  Object.keys(names).map((name) => `${table}.${name}`) as Columns<T>

export const USERS = columns('users', {
  id: true,
  account_kind: true,
  username: true,
  email: true,
  email_verified: true,
  password_hash: true,
  role: true,
  display_name: true,
  nickname: true,
  avatar_url: true,
  notifications_enabled: true,
  email_notifications_enabled: true,
  disabled_at: true,
  totp_secret: true,
  totp_enabled: true,
  totp_last_step: true,
  email_codes_enabled: true,
  factor_failures: true,
  factor_failures_since: true,
  last_login_at: true,
  created_at: true,
  updated_at: true,
})

export const SESSIONS = columns('sessions', {
  id: true,
  user_id: true,
  remember: true,
  ip: true,
  user_agent: true,
  created_at: true,
  last_used_at: true,
  expires_at: true,
})

export const PASSKEYS = columns('passkeys', {
  id: true,
  user_id: true,
  name: true,
  credential_id: true,
  public_key: true,
  counter: true,
  transports: true,
  backed_up: true,
  user_verified: true,
  created_at: true,
  last_used_at: true,
})

export const PERSONAL_TOKENS = columns('personal_tokens', {
  id: true,
  user_id: true,
  name: true,
  hash: true,
  token_prefix: true,
  permissions: true,
  restrictions: true,
  expires_at: true,
  last_used_at: true,
  replaced_by: true,
  reminded_at: true,
  created_at: true,
})

export const INVITATIONS = columns('invitations', {
  id: true,
  code_hash: true,
  code_prefix: true,
  role: true,
  email: true,
  max_uses: true,
  uses: true,
  created_by: true,
  mailed: true,
  expires_at: true,
  revoked_at: true,
  created_at: true,
})

export const OAUTH_PROVIDERS = columns('oauth_providers', {
  id: true,
  provider_id: true,
  name: true,
  enabled: true,
  client_id: true,
  client_secret: true,
  scope: true,
  well_known_url: true,
  authorize_url: true,
  token_url: true,
  user_info_url: true,
  issuer: true,
  token_auth_method: true,
  fields: true,
  created_at: true,
  updated_at: true,
})

export const OAUTH_IDENTITIES = columns('oauth_identities', {
  id: true,
  provider_id: true,
  subject: true,
  user_id: true,
  display_name: true,
  email: true,
  email_verified: true,
  avatar: true,
  bound_at: true,
})

export const PROVIDER_CONFIGS = columns('provider_configs', {
  id: true,
  provider: true,
  name: true,
  owner_id: true,
  credentials: true,
  name_servers: true,
  hostmaster: true,
  breaker_failures: true,
  breaker_since: true,
  breaker_next_try: true,
  in_turn_until: true,
  created_at: true,
  updated_at: true,
})

export const DOMAINS = columns('domains', {
  id: true,
  name: true,
  unicode_name: true,
  provider_id: true,
  provider_config_id: true,
  zone_id: true,
  owner_id: true,
  group_name: true,
  tags: true,
  notes: true,
  expires_at: true,
  expiring_at: true,
  expiry_source: true,
  expiry_checked_at: true,
  epp_status: true,
  reminder_due_at: true,
  expiry_check_due_at: true,
  expiry_remind_days: true,
  auto_check_expiry: true,
  name_servers: true,
  registrar: true,
  default_ttl: true,
  record_count: true,
  record_version: true,
  unmanaged_count: true,
  last_synced_at: true,
  last_sync_error: true,
  last_sync_error_code: true,
  last_sync_error_params: true,
  last_sync_error_at: true,
  sync_interval: true,
  sync_due_at: true,
  created_at: true,
  updated_at: true,
})

export const ASSIGNMENTS = columns('assignments', {
  id: true,
  user_id: true,
  domain_id: true,
  pattern: true,
  permission: true,
  record_types: true,
  expires_at: true,
  created_by: true,
  created_at: true,
})

export const ASSIGNMENT_REQUESTS = columns('assignment_requests', {
  id: true,
  user_id: true,
  domain_id: true,
  pattern: true,
  permission: true,
  reason: true,
  status: true,
  decided_by: true,
  decided_at: true,
  decision_reason: true,
  assignment_id: true,
  created_at: true,
})

export const CHANNEL_CONFIGS = columns('channel_configs', {
  id: true,
  channel: true,
  name: true,
  config: true,
  events: true,
  domain_groups: true,
  domain_tags: true,
  enabled: true,
  last_delivery_at: true,
  last_delivery_ok: true,
  last_delivery_error: true,
  last_delivery_error_code: true,
  last_delivery_error_params: true,
  next_try_at: true,
  paced_until: true,
  failures: true,
  created_at: true,
  updated_at: true,
})

export const DELIVERIES = columns('deliveries', {
  id: true,
  channel_id: true,
  event_id: true,
  event: true,
  message: true,
  status: true,
  tries: true,
  next_try_at: true,
  last_try_at: true,
  last_error: true,
  last_error_code: true,
  last_error_params: true,
  delivered_at: true,
  created_at: true,
})

export const RECORDS = columns('records', {
  id: true,
  domain_id: true,
  name: true,
  type: true,
  value: true,
  ttl: true,
  priority: true,
  proxied: true,
  status: true,
  deleting: true,
  provider_record_id: true,
  enabled: true,
  comment: true,
  routing: true,
  extra: true,
  version: true,
  created_at: true,
  updated_at: true,
})

export const CHANGES = columns('changes', {
  id: true,
  domain_id: true,
  actor_id: true,
  actor_name: true,
  source: true,
  status: true,
  lease_until: true,
  unknown_since: true,
  looks: true,
  look_again: true,
  created_at: true,
  settled_at: true,
  seq: true,
  settled_seq: true,
})

export const CHANGE_ITEMS = columns('change_items', {
  change_id: true,
  position: true,
  action: true,
  record_id: true,
  name: true,
  type: true,
  before: true,
  after: true,
  outcome: true,
  error: true,
  error_code: true,
})

export const AUDIT = columns('audit', {
  id: true,
  at: true,
  actor_id: true,
  actor_name: true,
  ip: true,
  request_id: true,
  action: true,
  target_type: true,
  target_id: true,
  target_name: true,
  before: true,
  after: true,
})
