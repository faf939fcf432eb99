import { sql, type Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/index.ts'
import type { Database } from './tables.ts'

/** Of the advisory lock that one migrating instance holds; any number will do, but it must stay the same. */
const LOCK = 7_313_270_021

/**
 * Brings the schema up to date, all of it or nothing, and answers the names of the migrations that ran.
 * Several instances may call it at once: one does it, the others wait.
 */
export function migrate(db: Kysely<Database>): Promise<string[]> {
  return db.transaction().execute(async (trx) => {
    // A migration may take longer than anything in a request, and so may waiting for one.
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(trx)
    const migrator = new Migrator({ db: trx, provider: { getMigrations: async () => migrations } })
    const { error, results } = await migrator.migrateToLatest()
    if (error) throw error
    return (results ?? [])
      .filter(({ status }) => status === 'Success')
      .map(({ migrationName }) => migrationName)
  })
}
