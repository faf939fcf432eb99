import { sql, type Kysely } from 'kysely'

/** The few domains that have records of types that are not managed here, for the dashboard. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index domains_unmanaged on domains (unmanaged_count desc, id) where unmanaged_count > 0
  `.execute(db)
}
