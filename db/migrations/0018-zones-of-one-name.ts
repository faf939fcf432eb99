import { sql, type Kysely } from 'kysely'

/**
 * A provider may have several zones of one name, such as a public and a private one; each may be a domain.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table domains drop constraint domains_provider_config_id_name_key,
      add unique (provider_config_id, name, zone_id)
  `.execute(db)
}
