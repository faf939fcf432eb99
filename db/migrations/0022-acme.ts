import { sql, type Kysely } from 'kysely'

/** Accounts of acme-dns clients. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table acme_registrations (
    id uuid primary key,
    user_id uuid not null references users (id) on delete cascade,
    token_id uuid references personal_tokens (id) on delete cascade,
    domain_id uuid not null references domains (id) on delete cascade,
    name text not null,
    subdomain text not null,
    secret_hash bytea not null,
    allow_from text[] not null,
    recent_values text[] not null default '{}',
    created_at timestamptz not null default now(),
    last_used_at timestamptz
  )`,
  'create index acme_registrations_user on acme_registrations (user_id, created_at)',
  'create index acme_registrations_token on acme_registrations (token_id)',
  'create index acme_registrations_domain on acme_registrations (domain_id)',
]
