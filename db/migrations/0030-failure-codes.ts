import { sql, type Kysely } from 'kysely'

/** Beside the words of what failed last what it is, for other languages: null for what failed before. */
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
