import { sql, type Kysely } from 'kysely'

/** The table was never used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table settings`.execute(db)
}
