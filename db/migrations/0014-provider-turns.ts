import { sql, type Kysely } from 'kysely'

/** Whether changes at a provider have to go one after another, as an instance has found; see modules/providers/traffic/write-lock. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table provider_configs add column in_turn_until timestamptz`.execute(db)
}
