import { sql, type Kysely } from 'kysely'
import type { Step } from './migration.ts'
import { validateConstraint } from './steps.ts'

/** Changes that are verified on the name servers, the setting of a domain for it, and servers to ask instead. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table domains
      add column verify text not null default 'warn',
      add constraint domains_verify_check check (verify in ('off', 'warn', 'require')) not valid
  `.execute(db)
  await sql`alter table provider_configs add column verify_servers text[] not null default '{}'`.execute(db)
  await sql`
    create table verifications (
      change_id uuid primary key,
      domain_id uuid not null references domains on delete cascade,
      status text not null default 'waiting' check (status in
        ('waiting', 'verified', 'failed', 'superseded', 'not_comparable', 'unreachable')),
      rounds integer not null default 0,
      reached boolean not null default false,
      servers jsonb not null default '[]',
      due_at timestamptz,
      ends_at timestamptz not null,
      created_at timestamptz not null default now(),
      ended_at timestamptz
    )
  `.execute(db)
  await sql`create index verifications_due on verifications (due_at) where due_at is not null`.execute(db)
  await sql`create index verifications_domain on verifications (domain_id, ended_at)`.execute(db)
  await sql`create index verifications_ended on verifications (ended_at) where ended_at is not null`.execute(
    db,
  )
}

export const steps: readonly Step[] = [validateConstraint('domains', 'domains_verify_check')]
