import { sql, type Kysely } from 'kysely'

/** Stores when the next turn was set, which bounds the wait whatever the clock says later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry_turns add column noted_at timestamptz not null default now()`.execute(db)
}
