import { sql, type Kysely } from 'kysely'

/** Stores a code with the text of the last failure, for translation; null for earlier failures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains add column last_sync_error_code text, add column last_sync_error_params jsonb`.execute(
    db,
  )
  await sql`alter table deliveries add column last_error_code text, add column last_error_params jsonb`.execute(
    db,
  )
  await sql`alter table channel_configs add column last_delivery_error_code text,
    add column last_delivery_error_params jsonb`.execute(db)
  await sql`alter table change_items add column error_code text`.execute(db)
}
