import { sql, type Kysely } from 'kysely'

/**
 * Whether a provider connection works, as seen by all instances; see
 * modules/providers/traffic/circuit-breaker.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table provider_configs
      add column breaker_failures integer not null default 0,
      add column breaker_since timestamptz,
      add column breaker_next_try timestamptz
  `.execute(db)
}
