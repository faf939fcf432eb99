import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { connect, connectByUrl } from '../db/connection/connect.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { migrate } from '../db/migrations/migrator.ts'
import type { Database } from '../db/tables/index.ts'

/**
 * Runs `work` on the migrated database of DATABASE_URL or on the embedded one. A running service owns the embedded database;
 * the error then names its process.
 */
export async function withDatabase<T>(
  { databaseUrl, databaseDirectUrl, dataDir }: Config,
  work: (db: Kysely<Database>) => Promise<T>,
): Promise<T> {
  const postgres = databaseUrl === null ? await startEmbedded({ dataDir }) : null
  const connection = postgres
    ? connect(postgres.connection)
    : connectByUrl(databaseUrl as string, databaseDirectUrl)
  try {
    await migrate(connection.jobs)
    return await work(connection.db)
  } finally {
    await connection.close()
    await postgres?.stop()
  }
}

/** Ends the process with the error message, which tells an operator what to do, without a stack. */
export async function run(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
