import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { Migrator, type Migration, type MigrationResultSet } from 'kysely/migration'
import { violates } from '../connection/errors.ts'
import { migrations } from './index.ts'
import type { Database } from '../tables/index.ts'

/**
 * How long a migration waits for a table lock. Less than PostgreSQL's deadlock timeout (1 s), so that the
 * migration gives way to a request of an older instance when they deadlock.
 */
const LOCK_TIMEOUT_MS = 500
/** Number of attempts of a migration that gave way, and the pause between them. */
const TRIES = 40
const PAUSE_MS = 250

/**
 * Migrates the schema to the current version, in full or not at all, and returns the names of the migrations
 * that ran. Several instances may call it at once: one migrates, the others wait. Takes a session lock, which
 * doesn't work through a pooler in transaction mode.
 */
export function migrate(
  db: Kysely<Database>,
  known: Record<string, Migration> = migrations,
): Promise<string[]> {
  return db.connection().execute(async (session) => {
    // A migration, or waiting for another instance's, may take longer than any other statement.
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
