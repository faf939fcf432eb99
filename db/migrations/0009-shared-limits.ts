import { sql, type Kysely } from 'kysely'

/** Limits shared by all instances. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // Open event streams; a slot whose lease has expired is free.
  `create table stream_slots (
    user_id uuid not null references users on delete cascade,
    slot integer not null,
    stream_id uuid not null unique,
    lease_until timestamptz not null,
    primary key (user_id, slot)
  )`,

  // When each registry's server may be queried next.
  `create table registry_turns (
    server text primary key,
    next_at timestamptz not null
  )`,

  // Unlogged: counts of the last minutes may be lost when the database crashes.
  `create unlogged table rate_limit_counters (
    key bytea primary key,
    count integer not null,
    resets_at timestamptz not null
  )`,
]
