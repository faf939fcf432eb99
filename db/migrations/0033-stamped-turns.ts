import { sql, type Kysely } from 'kysely'

/** When a turn was taken tells how long it may be waited for, whatever the clock says later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry_turns add column noted_at timestamptz not null default now()`.execute(db)
}
