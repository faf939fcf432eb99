import { sql, type Kysely } from 'kysely'

/** Keys with which programs sign DNS updates, and the signed messages that must not be worked on twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  `create table tsig_keys (
    id uuid primary key,
    token_id uuid not null references personal_tokens (id) on delete cascade,
    name text not null unique,
    algorithm text not null,
    secret bytea not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz
  )`,
  'create index tsig_keys_token on tsig_keys (token_id, created_at)',
  `create table signed_messages (
    key_id uuid not null references tsig_keys (id) on delete cascade,
    mac bytea not null,
    rcode smallint,
    expires_at timestamptz not null,
    primary key (key_id, mac)
  )`,
  'create index signed_messages_expiry on signed_messages (expires_at)',
]
