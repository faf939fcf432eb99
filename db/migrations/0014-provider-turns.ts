import { sql, type Kysely } from 'kysely'

/**
 * Whether an instance found that writes at a provider must be serialized; see
 * modules/providers/traffic/write-lock.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table provider_configs add column in_turn_until timestamptz`.execute(db)
}
