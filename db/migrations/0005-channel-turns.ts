import { sql, type Kysely } from 'kysely'

/** Which instance delivers to a channel, and until when; see modules/channels/delivery/delivery-queries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table channel_configs
      add column turn_of uuid,
      add column turn_until timestamptz
  `.execute(db)
}
