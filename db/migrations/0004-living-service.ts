import { sql, type Kysely } from 'kysely'

/** Delegation, channels with their outbox, expiry lookups and reminders, automatic syncs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table assignments (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    domain_id uuid not null references domains on delete cascade,
    pattern text not null,
    permission text not null check (permission in ('read', 'write')),
    record_types text[],
    expires_at timestamptz,
    created_by uuid references users on delete set null,
    created_at timestamptz not null default now(),
    constraint assignments_once unique (user_id, domain_id, pattern)
  )`,
  'create index assignments_domain on assignments (domain_id)',
  'create index assignments_created_by on assignments (created_by)',
  'create index assignments_created on assignments (created_at, id)',
  'create index assignments_expiry on assignments (expires_at) where expires_at is not null',

  `create table assignment_requests (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    domain_id uuid not null references domains on delete cascade,
    pattern text not null,
    permission text not null check (permission in ('read', 'write')),
    reason text not null,
    status text not null check (status in ('pending', 'approved', 'rejected', 'cancelled')),
    decided_by uuid references users on delete set null,
    decided_at timestamptz,
    decision_reason text,
    assignment_id uuid references assignments on delete set null,
    created_at timestamptz not null default now()
  )`,
  `create unique index assignment_requests_open on assignment_requests (user_id, domain_id, pattern)
    where status = 'pending'`,
  'create index assignment_requests_domain on assignment_requests (domain_id)',
  'create index assignment_requests_status on assignment_requests (status, created_at, id)',
  'create index assignment_requests_user on assignment_requests (user_id, created_at, id)',
  'create index assignment_requests_decided_by on assignment_requests (decided_by)',
  'create index assignment_requests_assignment on assignment_requests (assignment_id)',

  `create table channel_configs (
    id uuid primary key,
    channel text not null check (channel in ('chat_a', 'chat_b', 'email', 'webhook', 'web')),
    name text not null,
    config bytea not null,
    events text[] not null,
    enabled boolean not null,
    last_delivery_at timestamptz,
    last_delivery_ok boolean,
    last_delivery_error text,
    next_try_at timestamptz not null default now(),
    paced_until timestamptz not null default now(),
    failures integer not null default 0,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  'create index channel_configs_name on channel_configs (name, id)',

  `create table deliveries (
    id uuid primary key,
    channel_id uuid not null references channel_configs on delete cascade,
    event_id uuid not null,
    event text not null,
    message jsonb not null,
    status text not null check (status in ('pending', 'delivered', 'dead')),
    tries integer not null default 0,
    next_try_at timestamptz not null default now(),
    last_try_at timestamptz,
    last_error text,
    delivered_at timestamptz,
    created_at timestamptz not null default now(),
    constraint deliveries_once unique (event_id, channel_id)
  )`,
  // The head of each channel's queue, and its log.
  `create index deliveries_queue on deliveries (channel_id, created_at, id) where status = 'pending'`,
  'create index deliveries_log on deliveries (channel_id, created_at desc, id desc)',
  `create index deliveries_age on deliveries (created_at) where status <> 'pending'`,

  `create table expiry_reminders (
    domain_id uuid not null references domains on delete cascade,
    expires_at timestamptz not null,
    lead_days integer not null,
    event_id uuid not null,
    announced_at timestamptz,
    lease_until timestamptz not null default now(),
    created_at timestamptz not null default now(),
    primary key (domain_id, expires_at, lead_days)
  )`,
  'create index expiry_reminders_open on expiry_reminders (lease_until) where announced_at is null',

  `alter table domains
    add column epp_status text[] not null default '{}',
    add column reminder_due_at timestamptz,
    add column expiry_check_due_at timestamptz,
    add column sync_interval integer,
    add column sync_due_at timestamptz,
    add column last_sync_error_at timestamptz`,
  'update domains set last_sync_error_at = updated_at where last_sync_error is not null',
  'update domains set reminder_due_at = now() where expires_at is not null',
  'update domains set expiry_check_due_at = now() where auto_check_expiry',
  `create index changes_failed on changes (created_at desc, id) where status in ('failed', 'partial')`,
  'create index domains_reminder_due on domains (reminder_due_at) where reminder_due_at is not null',
  'create index domains_expiry_check_due on domains (expiry_check_due_at) where expiry_check_due_at is not null',
  'create index domains_sync_due on domains (sync_due_at) where sync_due_at is not null',
  'create index domains_sync_failed on domains (last_sync_error_at desc, id) where last_sync_error is not null',
]
