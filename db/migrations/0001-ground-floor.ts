import { sql, type Kysely } from 'kysely'

/** Users, sessions, providers, domains, records with their journal, audit. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'create extension if not exists pg_trgm',
  'create extension if not exists btree_gist',

  `create table settings (
    key text primary key,
    value bytea not null
  )`,

  `create table users (
    id uuid primary key,
    username text not null unique,
    email text unique,
    email_verified boolean not null default false,
    password_hash text,
    role text not null check (role in ('admin', 'member')),
    display_name text,
    nickname text,
    avatar_url text,
    notifications_enabled boolean not null default true,
    email_notifications_enabled boolean not null default false,
    disabled_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,

  `create table sessions (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    remember boolean not null,
    ip text not null,
    user_agent text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  'create index sessions_user on sessions (user_id, created_at)',
  'create index sessions_expiry on sessions (expires_at)',

  `create table refresh_tokens (
    hash bytea primary key,
    session_id uuid not null references sessions on delete cascade,
    created_at timestamptz not null default now(),
    rotated_at timestamptz
  )`,
  'create index refresh_tokens_session on refresh_tokens (session_id)',

  `create table provider_configs (
    id uuid primary key,
    provider text not null,
    name text not null,
    owner_id uuid not null references users,
    credentials bytea not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  'create index provider_configs_owner on provider_configs (owner_id, name, id)',

  `create table domains (
    id uuid primary key,
    name text not null,
    unicode_name text not null,
    provider_id uuid not null,
    provider_config_id uuid not null references provider_configs,
    zone_id text not null,
    owner_id uuid not null references users,
    group_name text not null default '',
    tags text[] not null default '{}',
    notes text not null default '',
    expires_at timestamptz,
    expiring_at timestamptz,
    expiry_source text check (expiry_source in ('manual', 'rdap', 'whois')),
    expiry_checked_at timestamptz,
    expiry_remind_days integer[] not null,
    auto_check_expiry boolean not null default false,
    name_servers text[] not null default '{}',
    registrar text,
    default_ttl integer not null,
    record_count integer not null default 0,
    record_version integer not null default 0,
    last_synced_at timestamptz,
    last_sync_error text,
    sync_lease_until timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (provider_config_id, name)
  )`,
  // An administrator's lists scan the whole table, a member's only the owner's part.
  'create index domains_name on domains (name, id)',
  'create index domains_expires on domains (expires_at, id)',
  'create index domains_created on domains (created_at, id)',
  'create index domains_records on domains (record_count, id)',
  'create index domains_expiring on domains (expiring_at)',
  'create index domains_group on domains (group_name, name, id)',
  'create index domains_owner_name on domains (owner_id, name, id)',
  'create index domains_owner_expires on domains (owner_id, expires_at, id)',
  'create index domains_owner_created on domains (owner_id, created_at, id)',
  'create index domains_owner_records on domains (owner_id, record_count, id)',
  'create index domains_owner_group on domains (owner_id, group_name, name, id)',
  'create index domains_tags on domains using gin (tags)',
  'create index domains_search on domains using gin (name gin_trgm_ops, unicode_name gin_trgm_ops)',

  `create table domain_lists (
    viewer uuid primary key,
    total integer not null,
    version integer not null
  )`,

  `create table records (
    id uuid primary key,
    domain_id uuid not null references domains on delete cascade,
    name text not null,
    type text not null,
    value text not null,
    ttl integer not null,
    priority integer,
    proxied boolean not null default false,
    status text not null check (status in ('active', 'pending', 'failed')),
    deleting boolean not null default false,
    provider_record_id text,
    version integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    constraint records_cname_alone exclude using gist
      (domain_id with =, name with =, (case when type = 'CNAME' then 1 else 0 end) with <>)
      where (not deleting)
  )`,
  `create unique index records_one_cname on records (domain_id, name) where type = 'CNAME' and not deleting`,
  // md5 keeps long TXT values below the size limit of an index entry.
  `create unique index records_no_duplicate on records (domain_id, name, type, md5(value)) where not deleting`,
  'create index records_name on records (domain_id, name, id)',
  'create index records_type on records (domain_id, type, name, id)',
  'create index records_created on records (domain_id, created_at, id)',
  'create index records_search on records using gin (name gin_trgm_ops, value gin_trgm_ops)',

  `create table changes (
    id uuid primary key,
    domain_id uuid not null references domains on delete cascade,
    actor_id uuid,
    actor_name text not null,
    source text not null,
    status text not null check (status in ('pending', 'applied', 'partial', 'failed')),
    lease_until timestamptz not null,
    created_at timestamptz not null default now(),
    settled_at timestamptz
  )`,
  'create index changes_domain on changes (domain_id, created_at desc, id desc)',
  'create index changes_settled on changes (domain_id, settled_at)',
  `create index changes_pending on changes (lease_until) where status = 'pending'`,

  `create table change_items (
    change_id uuid not null references changes on delete cascade,
    position integer not null,
    action text not null check (action in ('create', 'update', 'delete')),
    record_id uuid not null,
    name text not null,
    type text not null,
    before jsonb,
    after jsonb,
    outcome text not null check (outcome in ('pending', 'applied', 'failed')),
    error text,
    primary key (change_id, position)
  )`,

  `create table name_locks (
    domain_id uuid not null references domains on delete cascade,
    name text not null,
    change_id uuid not null references changes on delete cascade,
    primary key (domain_id, name)
  )`,
  'create index name_locks_change on name_locks (change_id)',

  `create table audit (
    id uuid primary key,
    at timestamptz not null default now(),
    actor_id uuid,
    actor_name text not null,
    ip text,
    request_id text,
    action text not null,
    target_type text not null,
    target_id text,
    target_name text,
    before jsonb,
    after jsonb
  )`,
  'create index audit_at on audit (at desc, id desc)',
  'create index audit_actor on audit (actor_id, at desc)',
  'create index audit_target on audit (target_id, at desc)',

  `create table idempotency_keys (
    user_id uuid not null references users on delete cascade,
    key text not null,
    request_hash bytea not null,
    status integer,
    headers jsonb,
    body text,
    created_at timestamptz not null default now(),
    primary key (user_id, key)
  )`,
  'create index idempotency_keys_age on idempotency_keys (created_at)',
]
