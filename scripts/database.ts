import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { connect, connectByUrl, type Connection } from '../db/connection/connect.ts'
import { findEmbedded, startEmbedded } from '../db/embedded/embedded.ts'
import { migrate } from '../db/migrations/migrator.ts'
import type { Database } from '../db/tables/index.ts'

/**
 * Runs `work` on the migrated database of DATABASE_URL or on the embedded one. A running service owns the embedded database;
 * the error then names its process.
 */
export const withDatabase = <T>(config: Config, work: (db: Kysely<Database>) => Promise<T>): Promise<T> =>
  withConnection(config, async ({ db, jobs }) => {
    await migrate(jobs)
    return work(db)
  })

/** Runs `work` on the same database, as it is. */
export async function withConnection<T>(
  { databaseUrl, databaseDirectUrl, dataDir }: Config,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const postgres = databaseUrl === null ? await startEmbedded({ dataDir }) : null
  const connection = postgres
    ? connect(postgres.connection)
    : connectByUrl(databaseUrl as string, databaseDirectUrl)
  try {
    return await work(connection)
  } finally {
    await connection.close()
    await postgres?.stop()
  }
}

/** Connects to the database without starting one; null if the embedded one is not running. */
export async function reachDatabase({
  databaseUrl,
  databaseDirectUrl,
  dataDir,
}: Config): Promise<Connection | null> {
  if (databaseUrl !== null) return connectByUrl(databaseUrl, databaseDirectUrl)
  const embedded = await findEmbedded(dataDir)
  return embedded && connect(embedded)
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
