import { sql } from 'kysely'
import t from 'tap'
import { createDatabase } from '../helpers/database.ts'
import { startProgram } from './processes.ts'
import { CHECKOUT, databaseUrl, launchZonekeeper, signIn, startZonekeeper } from './zonekeeper.ts'

/* The service as a process on a database that a newer version has migrated: one that added, then one that removed something. */

const database = await createDatabase(t)
const { db } = database
const environment = {
  DATABASE_URL: databaseUrl(database.config),
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
}
const migrated = (name: string, needs: string | null) =>
  sql`insert into schema_migrations (name, done, needs, release) values (${name}, true, ${needs}, '9.0.0')`.execute(
    db,
  )

async function runMigrate(...options: string[]) {
  const program = await startProgram([process.execPath, 'scripts/migrate.ts', ...options], {
    cwd: CHECKOUT,
    env: { ...process.env, ...environment },
  })
  return { code: await program.ended, said: program.output() }
}

void t.test('a plan changes nothing', async (t) => {
  for (const table of ['schema_migrations', 'kysely_migration']) {
    await sql`delete from ${sql.table(table)} where name = '0054-no-job-queue'`.execute(db)
  }
  const journal = () =>
    sql`select * from schema_migrations order by name`.execute(db).then(({ rows }) => rows)
  const before = await journal()
  const { code, said } = await runMigrate('--plan')
  t.equal(code, 0)
  t.match(said, /0054-no-job-queue {2}contract/)
  t.same(await journal(), before)
  t.match(await runMigrate(), { code: 0, said: /up to date/ }, 'which waits until it is asked for')
  t.match(await runMigrate('--contract'), { code: 0, said: /Migrated: 0054-no-job-queue/ })
  t.match(await runMigrate('--plan'), { code: 0, said: /up to date/ })
})

void t.test(
  'an older version starts where a newer one only added, and ends when it has removed something',
  async (t) => {
    await migrated('9000-later', null)
    const service = await startZonekeeper(environment)
    t.teardown(() => service.stop())
    const session = await signIn(service.url)
    t.match(await session.get('/api/domains'), { status: 200 })

    await migrated('9001-without', '9000-later')
    t.equal(await service.ended, 1, 'while it serves')
    t.match(service.output(), /too new.*9001-without|9001-without.*too new/s)
    const next = await launchZonekeeper(environment)
    t.teardown(() => next.stop())
    t.equal(await next.ended, 1, 'at its start')
    t.match(next.output(), /Zonekeeper can't start\. The database was migrated for version 9\.0\.0 or later/)
    t.match(await runMigrate('--plan'), { code: 1, said: /9\.0\.0 or later/ })
  },
)
