import { sql, type Kysely } from 'kysely'
import type { Step } from './migration.ts'
import { validateConstraint } from './steps.ts'

/**
 * Changes that a second person reviews, and the policy of a domain that requires it. Plans are `json`, which keeps the order
 * of members: what is applied is compared with what was shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table domains
      add column review_policy text not null default 'none',
      add column review_exempt text[] not null default '{ddns,acme}',
      add constraint domains_review_policy_check
        check (review_policy in ('none', 'members', 'everyone')) not valid
  `.execute(db)
  await sql`alter table changes add column change_request_id uuid, add column emergency_reason text`.execute(
    db,
  )
  await sql`
    create table change_requests (
      id uuid primary key,
      domain_id uuid not null references domains on delete cascade,
      author_id uuid references users on delete set null,
      author_name text not null,
      title text not null,
      reason text not null,
      body json not null,
      plan json not null,
      touched jsonb not null,
      created integer not null,
      updated integer not null,
      deleted integer not null,
      status text not null
        check (status in ('open', 'approved', 'rejected', 'withdrawn', 'outdated', 'failed')),
      revision integer not null default 1,
      approver_id uuid references users on delete set null,
      approver_name text,
      approved_at timestamptz,
      due_at timestamptz,
      tries integer not null default 0,
      change_id uuid,
      settled boolean not null default false,
      problem jsonb,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )
  `.execute(db)
  await sql`create index change_requests_domain on change_requests (domain_id, id desc)`.execute(db)
  await sql`create index change_requests_status on change_requests (status, id desc)`.execute(db)
  await sql`create index change_requests_author on change_requests (author_id, id desc)`.execute(db)
  await sql`create index change_requests_due on change_requests (due_at) where due_at is not null`.execute(db)
  await sql`
    create unique index change_requests_change on change_requests (change_id) where change_id is not null
  `.execute(db)
  await sql`
    create table change_request_entries (
      id uuid primary key,
      change_request_id uuid not null references change_requests on delete cascade,
      actor_id uuid references users on delete set null,
      actor_name text,
      kind text not null,
      revision integer not null,
      text text not null,
      created_at timestamptz not null default now()
    )
  `.execute(db)
  await sql`
    create index change_request_entries_of on change_request_entries (change_request_id, id)
  `.execute(db)
}

export const steps: readonly Step[] = [validateConstraint('domains', 'domains_review_policy_check')]
