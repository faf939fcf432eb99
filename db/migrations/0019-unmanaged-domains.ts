import { sql, type Kysely } from 'kysely'

/** For the dashboard: the few domains with records of unmanaged types. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index domains_unmanaged on domains (unmanaged_count desc, id) where unmanaged_count > 0
  `.execute(db)
}
