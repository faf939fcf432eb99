import { sql, type Kysely } from 'kysely'

/** OAuth sign-in: identity providers, the identities linked to accounts, and pending sign-ins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table oauth_providers (
    id uuid primary key,
    provider_id text not null unique,
    name text,
    enabled boolean not null,
    client_id text not null,
    client_secret bytea not null,
    scope text not null,
    well_known_url text,
    authorize_url text,
    token_url text,
    user_info_url text,
    issuer text,
    token_auth_method text check (token_auth_method in ('basic', 'post')),
    fields jsonb not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,

  // Without the identity provider, its subjects have no meaning; they are deleted with it.
  `create table oauth_identities (
    id uuid primary key,
    provider_id text not null references oauth_providers (provider_id) on delete cascade,
    subject text not null,
    user_id uuid not null references users on delete cascade,
    display_name text,
    email text,
    email_verified boolean not null,
    avatar text,
    bound_at timestamptz not null default now(),
    constraint oauth_identities_subject unique (provider_id, subject),
    constraint oauth_identities_user unique (user_id, provider_id)
  )`,

  // Single use: the statement that reads one of these deletes it.
  `create table oauth_flows (
    hash bytea primary key,
    provider_id text not null references oauth_providers (provider_id) on delete cascade,
    cookie_hash bytea not null,
    user_id uuid references users on delete cascade,
    session_id uuid references sessions on delete cascade,
    secrets bytea not null,
    expires_at timestamptz not null,
    check ((user_id is null) = (session_id is null))
  )`,
  'create index oauth_flows_provider on oauth_flows (provider_id)',
  'create index oauth_flows_user on oauth_flows (user_id)',
  'create index oauth_flows_session on oauth_flows (session_id)',
  'create index oauth_flows_expiry on oauth_flows (expires_at)',

  `create table oauth_tickets (
    hash bytea primary key,
    identity_id uuid not null references oauth_identities on delete cascade,
    cookie_hash bytea not null,
    expires_at timestamptz not null
  )`,
  'create index oauth_tickets_identity on oauth_tickets (identity_id)',
  'create index oauth_tickets_expiry on oauth_tickets (expires_at)',

  `create table oauth_pending (
    hash bytea primary key,
    provider_id text not null references oauth_providers (provider_id) on delete cascade,
    cookie_hash bytea not null,
    identity jsonb not null,
    expires_at timestamptz not null
  )`,
  'create index oauth_pending_provider on oauth_pending (provider_id)',
  'create index oauth_pending_expiry on oauth_pending (expires_at)',
]
