import { sql, type Kysely } from 'kysely'

/** Nothing was ever kept in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table settings`.execute(db)
}
