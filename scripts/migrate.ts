import { readConfig } from '../config.ts'
import { connect, connectByUrl } from '../db/connection/connect.ts'
import { startEmbedded } from '../db/embedded/embedded.ts'
import { migrate } from '../db/migrations/migrator.ts'
import { run } from './database.ts'

/**
 * Migrates the database of DATABASE_URL, or the embedded one, and prints the migrations that ran. The service also
 * does this on start; run it separately to migrate before an upgrade.
 */
await run(async () => {
  const { databaseUrl, databaseDirectUrl, dataDir } = readConfig()
  const postgres = databaseUrl === null ? await startEmbedded({ dataDir }) : null
  const connection = postgres
    ? connect(postgres.connection)
    : connectByUrl(databaseUrl as string, databaseDirectUrl)
  try {
    const names = await migrate(connection.jobs)
    console.log(names.length > 0 ? `Migrated: ${names.join(', ')}` : 'The database is up to date')
  } finally {
    await connection.close()
    await postgres?.stop()
  }
})
