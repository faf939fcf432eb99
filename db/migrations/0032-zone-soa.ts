import { sql, type Kysely } from 'kysely'

/** The SOA of the provider as of the last sync; null if it was not read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains add column soa jsonb`.execute(db)
}
