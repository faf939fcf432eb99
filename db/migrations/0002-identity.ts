import { sql, type Kysely } from 'kysely'

/** Second factors, passkeys, personal tokens, invitations, one-time codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `alter table users
    add column totp_secret bytea,
    add column totp_enabled boolean not null default false,
    add column totp_last_step bigint not null default 0,
    add column email_codes_enabled boolean not null default false,
    add column factor_failures integer not null default 0,
    add column factor_failures_since timestamptz,
    add column last_login_at timestamptz`,
  'create index users_list on users (username, id)',

  `create table recovery_codes (
    user_id uuid not null references users on delete cascade,
    hash bytea not null,
    used_at timestamptz,
    primary key (user_id, hash)
  )`,

  `create table passkeys (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    name text not null,
    credential_id text not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    backed_up boolean not null,
    user_verified boolean not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz
  )`,
  'create index passkeys_user on passkeys (user_id, created_at)',

  // The second step of a sign-in; its id is the session of the temporary token.
  `create table sign_in_challenges (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    remember boolean not null,
    tries integer not null default 0,
    email_code_hash bytea,
    email_code_sent_at timestamptz,
    webauthn_challenge text,
    expires_at timestamptz not null
  )`,
  'create index sign_in_challenges_expiry on sign_in_challenges (expires_at)',

  // For ceremonies outside such a step: registering a passkey, signing in with only a passkey.
  `create table webauthn_challenges (
    challenge text primary key,
    ceremony text not null check (ceremony in ('register', 'login')),
    user_id uuid references users on delete cascade,
    expires_at timestamptz not null
  )`,
  'create index webauthn_challenges_expiry on webauthn_challenges (expires_at)',

  // Single-use secrets sent by email: links to reset a password or confirm an address, codes.
  `create table mail_tokens (
    hash bytea primary key,
    purpose text not null check (purpose in ('password_reset', 'email_change', 'email_codes')),
    user_id uuid not null references users on delete cascade,
    email text not null,
    tries integer not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  'create index mail_tokens_user on mail_tokens (user_id, purpose)',
  'create index mail_tokens_expiry on mail_tokens (expires_at)',

  `create table personal_tokens (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    name text not null,
    hash bytea not null unique,
    token_prefix text not null,
    permissions text[] not null,
    restrictions jsonb,
    expires_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  'create index personal_tokens_user on personal_tokens (user_id, created_at)',

  `create table invitations (
    id uuid primary key,
    code_hash bytea not null unique,
    code_prefix text not null,
    role text not null check (role in ('admin', 'member')),
    email text,
    max_uses integer not null,
    uses integer not null default 0,
    created_by uuid references users on delete set null,
    mailed boolean not null default false,
    expires_at timestamptz,
    revoked_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  'create index invitations_created on invitations (created_at desc, id desc)',
  'create index invitations_created_by on invitations (created_by)',

  // Filters of the audit trail; "C" so that a prefix of an action is a range.
  'create index audit_actor_name on audit (actor_name, at desc)',
  'create index audit_action on audit (action collate "C", at desc)',
  'create index audit_target_type on audit (target_type, at desc)',
]
