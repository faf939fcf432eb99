import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration, type MigrationResultSet } from 'kysely/migration'
import { violates } from '../connection/errors.ts'
import { migrations } from './index.ts'
import type { Database } from '../tables/index.ts'

/**
 * How long a migration waits for the lock of a table. Less than PostgreSQL takes to find a deadlock (1 s), so
 * that of a migration and a request of an older instance that wait for each other the migration gives way.
 */
const LOCK_TIMEOUT_MS = 500
/** A migration that gave way begins anew so often, with that pause between. */
const TRIES = 40
const PAUSE_MS = 250

/**
 * Brings the schema up to date, all of it or nothing, and answers the names of the migrations that ran.
 * Several instances may call it at once: one does it, the others wait. Takes a session lock, which a pooler in
 * transaction mode does not have.
 */
export function migrate(
  db: Kysely<Database>,
  known: Record<string, Migration> = migrations,
): Promise<string[]> {
  return db.connection().execute(async (session) => {
    // A migration may take longer than any other statement, and so may waiting for another instance's.
    await sql`set statement_timeout = 0`.execute(session)
    await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(session)
    const migrator = new Migrator({ db: session, provider: { getMigrations: async () => known } })
    const { error, results } = await tryToMigrate(migrator)
    await sql`reset all`.execute(session)
    if (error) throw error
    return (results ?? [])
      .filter(({ status }) => status === 'Success')
      .map(({ migrationName }) => migrationName)
  })
}

async function tryToMigrate(migrator: Migrator): Promise<MigrationResultSet> {
  for (let tries = 1; ; tries++) {
    const result = await migrator.migrateToLatest()
    const isHeldUp = violates(result.error, 'lockTimeout') || violates(result.error, 'deadlock')
    if (!isHeldUp || tries === TRIES) return result
    await sleep(PAUSE_MS)
  }
}
