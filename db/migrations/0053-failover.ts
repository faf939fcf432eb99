import { sql, type Kysely } from 'kysely'

/** RRsets with prepared alternatives, what the instances find when they check these, and which instances are alive. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table instances (id uuid primary key, seen_at timestamptz not null default now())`.execute(
    db,
  )
  await sql`
    create table failover_monitors (
      id uuid primary key,
      domain_id uuid not null references domains on delete cascade,
      name text not null,
      type text not null,
      alternatives jsonb not null,
      probe jsonb not null,
      interval_seconds integer not null,
      failures integer not null,
      successes integer not null,
      hold_down_seconds integer not null,
      back text not null check (back in ('automatic', 'manual')),
      maintenance jsonb not null default '[]',
      author_id uuid references users on delete set null,
      author_name text not null,
      revision integer not null default 1,
      approved_revision integer,
      approver_id uuid references users on delete set null,
      approver_name text,
      active integer not null,
      previous integer,
      turn integer not null default 0,
      switched_at timestamptz,
      switched_by text check (switched_by in ('failure', 'recovery', 'hand')),
      change_id uuid,
      settled boolean not null default true,
      retry_at timestamptz,
      paused text,
      paused_at timestamptz,
      problem text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (domain_id, name, type)
    )
  `.execute(db)
  await sql`create index failover_monitors_author on failover_monitors (author_id)`.execute(db)
  await sql`create index failover_monitors_unsettled on failover_monitors (id) where not settled`.execute(db)
  await sql`
    create table failover_verdicts (
      monitor_id uuid not null references failover_monitors on delete cascade,
      instance_id uuid not null references instances on delete cascade,
      alternative integer not null,
      revision integer not null,
      state text not null check (state in ('unknown', 'answering', 'up', 'failing', 'down')),
      latency_ms integer,
      reason text,
      detail text,
      history jsonb not null default '[]',
      certificate_expires timestamptz,
      checked_at timestamptz not null default now(),
      primary key (monitor_id, instance_id, alternative)
    )
  `.execute(db)
  await sql`create index failover_verdicts_instance on failover_verdicts (instance_id)`.execute(db)
}
