import { sql, type Kysely } from 'kysely'
import t from 'tap'
import { migrations } from '../../../db/migrations/index.ts'
import type { Migration } from '../../../db/migrations/migration.ts'
import { migrate } from '../../../db/migrations/migrator.ts'
import { describePlan, planMigrations } from '../../../db/migrations/plan.ts'
import { effectsOf, statementsOf } from '../../../db/migrations/statements.ts'
import { updateInBatches } from '../../../db/migrations/steps.ts'
import { createDatabase, createEmptyDatabase } from '../../helpers/database.ts'

void t.test('what is pending, with its locks; nothing changes', async (t) => {
  const { db, jobs } = await createEmptyDatabase(t)
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0045'))
  await migrate(jobs, before)
  const plan = await db
    .transaction()
    .setAccessMode('read only')
    .execute((trx) => planMigrations(trx))
  t.same(
    plan.map(({ name }) => name),
    Object.keys(migrations).filter((name) => name >= '0045'),
  )
  const find = (name: string) => plan.find((one) => one.name === name)
  t.match(find('0051-drift'), {
    phase: 'expand',
    tables: [
      { name: 'changes', lock: 'ACCESS EXCLUSIVE', seconds: 0 },
      { name: 'domains', lock: 'ACCESS EXCLUSIVE', seconds: 0 },
    ],
  })
  t.match(find('0053-failover')?.tables, [
    { name: 'domains', lock: 'SHARE ROW EXCLUSIVE' },
    { name: 'users', lock: 'SHARE ROW EXCLUSIVE' },
  ])
  t.match(find('0054-no-job-queue'), { phase: 'contract', release: '0.5.0', tables: { length: 0 } })
  t.match(describePlan(plan).join('\n'), /0054-no-job-queue {2}contract: only with --contract/)
  t.same((await migrate(jobs)).length, plan.length - 1, 'it was not done before')
})

void t.test('the time follows from the rows of a table', async (t) => {
  const { db } = await createDatabase(t)
  t.same(describePlan(await planMigrations(db)), ['The database is up to date'])
  await sql`create table things (id bigint primary key, n integer)`.execute(db)
  await sql`insert into things select n from generate_series(1, 100000) as n`.execute(db)
  await sql`create index things_n on things (n)`.execute(db)
  await sql`analyze things`.execute(db)
  const one = async (statement: string, steps: Migration['steps'] = []) => {
    const migration = {
      up: async () => {},
      steps: [
        { run: async (session: Kysely<unknown>) => void (await sql.raw(statement).execute(session)) },
        ...steps,
      ],
    }
    const plan = await planMigrations(db, { ...migrations, '9000-things': migration })
    return plan[0]?.tables[0]
  }
  const rows = 100_000
  t.match(await one('alter table things add column m integer'), {
    rows,
    lock: 'ACCESS EXCLUSIVE',
    seconds: 0,
  })
  t.match(await one('drop index things_n'), { name: 'things', lock: 'ACCESS EXCLUSIVE', seconds: 0 })
  t.match(await one('create index on things (n)'), { lock: 'SHARE' })
  t.match(await one('create index concurrently x on things (n)'), { lock: 'SHARE UPDATE EXCLUSIVE' })
  t.match(await one('alter table things alter column n type bigint'), { lock: 'ACCESS EXCLUSIVE' })
  const update = [updateInBatches('things', { set: 'n = 1', where: 'n is null' })]
  const batches = await one('select 1', update)
  t.match(batches, { name: 'things', lock: 'ROW EXCLUSIVE' })
  t.ok((batches?.seconds ?? 0) > 1)
  const plan = await planMigrations(db, { ...migrations, '9000-x': { up: async () => {}, steps: update } })
  t.match(describePlan(plan).at(-1), /^ {2}things: 100,000 rows, .*about \d+ s for 100,000 rows$/)
})

void t.test('the tables of each statement of each migration are known', async (t) => {
  for (const [name, migration] of Object.entries(migrations)) {
    for (const text of await statementsOf(migration)) {
      const needsNone =
        /^\s*(create (unlogged )?table|create (extension|function|sequence)|drop schema|select )/
      t.ok(needsNone.test(text) || effectsOf(text).length > 0, `${name}: ${text.slice(0, 80)}`)
    }
  }
})
