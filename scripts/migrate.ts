import { parseArgs } from 'node:util'
import { readConfig, type Config } from '../config.ts'
import { describePlan, planMigrations } from '../db/migrations/plan.ts'
import { migrate } from '../db/migrations/migrator.ts'
import { reachDatabase, run, withConnection } from './database.ts'

/**
 * Migrates the database of DATABASE_URL, or the embedded one, and prints progress and the migrations that ran. The service
 * also does this on start; run it separately to migrate before an upgrade. `--contract` also runs the migrations that remove
 * what earlier releases use. `--plan` only prints what would happen.
 */
await run(async () => {
  const { values } = parseArgs({
    options: { plan: { type: 'boolean', default: false }, contract: { type: 'boolean', default: false } },
  })
  if (values.plan) return printPlan(readConfig())
  await withConnection(readConfig(), async ({ jobs }) => {
    const { contract } = values
    const names = await migrate(jobs, undefined, { contract, say: (line) => console.log(line) })
    console.log(names.length > 0 ? `Migrated: ${names.join(', ')}` : 'The database is up to date')
  })
})

async function printPlan(config: Config): Promise<void> {
  const connection = await reachDatabase(config)
  if (connection === null) {
    console.log('The embedded PostgreSQL is not running. Run this while the service runs')
    return
  }
  try {
    const planned = await connection.jobs
      .transaction()
      .setAccessMode('read only')
      .execute((trx) => planMigrations(trx))
    for (const line of describePlan(planned)) console.log(line)
  } finally {
    await connection.close()
  }
}
