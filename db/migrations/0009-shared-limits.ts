import { sql, type Kysely } from 'kysely'

/** Limits that count for all instances together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // Open event streams; a slot whose lease is over is free.
  `create table stream_slots (
    user_id uuid not null references users on delete cascade,
    slot integer not null,
    stream_id uuid not null unique,
    lease_until timestamptz not null,
    primary key (user_id, slot)
  )`,

  // When each registry's server may be asked next.
  `create table registry_turns (
    server text primary key,
    next_at timestamptz not null
  )`,

  // Unlogged: a crash of the database may forget what was counted in the last minutes.
  `create unlogged table rate_limit_counters (
    key bytea primary key,
    count integer not null,
    resets_at timestamptz not null
  )`,
]
