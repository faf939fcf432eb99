import { sql, type Kysely } from 'kysely'

/** The SOA as the provider had it at the last sync; null where none was read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains add column soa jsonb`.execute(db)
}
