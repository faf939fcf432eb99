import { sql, type Kysely } from 'kysely'

/** Subdomains are found by reversed name; an offered transfer waits for its recipient. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'create index domains_reversed on domains (reverse(name) text_pattern_ops)',

  `create table domain_transfers (
    id uuid primary key,
    domain_id uuid not null references domains on delete cascade,
    from_user_id uuid not null references users on delete cascade,
    to_user_id uuid not null references users on delete cascade,
    status text not null check (status in ('pending', 'accepted', 'declined', 'withdrawn', 'expired')),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    ended_at timestamptz
  )`,
  `create unique index domain_transfers_open on domain_transfers (domain_id) where status = 'pending'`,
  'create index domain_transfers_domain on domain_transfers (domain_id)',
  'create index domain_transfers_from on domain_transfers (from_user_id, created_at, id)',
  'create index domain_transfers_to on domain_transfers (to_user_id, created_at, id)',
  'create index domain_transfers_created on domain_transfers (created_at, id)',
  `create index domain_transfers_expiry on domain_transfers (expires_at) where status = 'pending'`,
]
