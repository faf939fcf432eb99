import { sql, type Kysely } from 'kysely'

/**
 * Changes that wait for their time, and applied changes that are taken back unless somebody confirms them. Plans are `json`,
 * which keeps the order of members: what is applied is compared with what was shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table scheduled_changes (
      id uuid primary key,
      domain_id uuid not null references domains on delete cascade,
      author_id uuid references users on delete set null,
      author_name text not null,
      origin text not null,
      token_id uuid,
      token_name text,
      token_suffix text,
      ip text not null,
      operation_id uuid,
      emergency_reason text,
      body json not null,
      steps json not null,
      touched jsonb not null,
      created integer not null,
      updated integer not null,
      deleted integer not null,
      apply_at timestamptz not null,
      confirm_minutes integer,
      status text not null default 'scheduled'
        check (status in ('scheduled', 'taken', 'failed', 'cancelled')),
      due_at timestamptz,
      settled boolean not null default false,
      problem jsonb,
      created_at timestamptz not null default now(),
      ended_at timestamptz
    )
  `.execute(db)
  await sql`create index scheduled_changes_domain on scheduled_changes (domain_id, status, apply_at)`.execute(
    db,
  )
  await sql`create index scheduled_changes_due on scheduled_changes (due_at) where due_at is not null`.execute(
    db,
  )
  await sql`
    create index scheduled_changes_unsettled on scheduled_changes (id) where status = 'taken' and not settled
  `.execute(db)
  await sql`
    create index scheduled_changes_ended on scheduled_changes (ended_at) where ended_at is not null
  `.execute(db)
  await sql`
    create table confirmations (
      change_id uuid primary key,
      domain_id uuid not null references domains on delete cascade,
      minutes integer not null,
      status text not null default 'waiting' check (status in
        ('waiting', 'unconfirmed', 'reverting', 'confirmed', 'reverted', 'not_reverted')),
      confirm_by timestamptz,
      due_at timestamptz,
      warned boolean not null default false,
      tries integer not null default 0,
      decided_by uuid references users on delete set null,
      decided_by_name text,
      ended_at timestamptz,
      revert_change_id uuid,
      left_alone jsonb not null default '[]',
      created_at timestamptz not null default now()
    )
  `.execute(db)
  await sql`create index confirmations_domain on confirmations (domain_id)`.execute(db)
  await sql`create index confirmations_due on confirmations (due_at) where due_at is not null`.execute(db)
  await sql`
    create index confirmations_unsettled on confirmations (change_id) where status in ('waiting', 'reverting')
  `.execute(db)
  await sql`create index confirmations_ended on confirmations (ended_at) where ended_at is not null`.execute(
    db,
  )
  await sql`
    create index confirmations_revert on confirmations (revert_change_id) where revert_change_id is not null
  `.execute(db)
  await sql`alter table change_requests add column apply_at timestamptz, add column confirm_minutes integer`.execute(
    db,
  )
}
