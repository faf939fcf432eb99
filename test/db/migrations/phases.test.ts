import { sql, type Kysely } from 'kysely'
import t from 'tap'
import { DatabaseTooNew } from '../../../db/migrations/journal.ts'
import { migrations } from '../../../db/migrations/index.ts'
import type { Migration } from '../../../db/migrations/migration.ts'
import { migrate } from '../../../db/migrations/migrator.ts'
import { createIndex, updateInBatches, validateConstraint } from '../../../db/migrations/steps.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../../helpers/database.ts'

const statement = (text: string): Migration => ({ up: async (db) => void (await sql.raw(text).execute(db)) })

const EXPAND: Record<string, Migration> = {
  ...migrations,
  '9000-label': statement(`alter table domains add column label text not null default ''`),
}
const CONTRACT: Record<string, Migration> = {
  ...EXPAND,
  '9001-no-notes': {
    ...statement('alter table domains drop column notes'),
    contract: { needs: '9000-label', release: '9.0.0' },
  },
}

const namesOf = async (db: TestDatabase['db'], table: string) =>
  (await sql<{ name: string }>`select name from ${sql.table(table)} order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )

void t.test('a version serves what newer ones added to, and refuses what they removed from', async (t) => {
  const { db } = await createDatabase(t)
  t.same(await migrate(db, CONTRACT), ['9000-label'], 'only what adds runs by itself')
  t.same(await migrate(db, migrations), [], 'an older version starts')
  t.same(await migrate(db, CONTRACT, { contract: true }), ['9001-no-notes'])
  const refusal: unknown = await migrate(db, migrations).catch((error: unknown) => error)
  t.ok(refusal instanceof DatabaseTooNew)
  t.match(refusal, { message: /9\.0\.0 or later/ })
  t.same(await migrate(db, EXPAND), [], 'one that knows how to do without it starts')
  t.same(await migrate(db, CONTRACT), [])
})

void t.test('a new database needs no second call', async (t) => {
  const { db } = await createEmptyDatabase(t)
  t.same(await migrate(db, CONTRACT), Object.keys(CONTRACT))
})

void t.test('version 0.4 starts beside this one, until the contract', async (t) => {
  const { db } = await createEmptyDatabase(t)
  const released = Object.entries(migrations).filter(([name]) => name < '0045')
  // As that version left it.
  await migrate(db, Object.fromEntries(released))
  await sql`create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  )
  await sql`insert into kysely_migration select name, '2026-11-24T00:00:00.000Z' from schema_migrations`.execute(
    db,
  )
  await sql`drop table schema_migrations`.execute(db)
  await sql`create schema pgboss`.execute(db)

  const names = Object.entries(migrations)
  const expected = names.filter(([name, { contract }]) => name >= '0045' && !contract).map(([name]) => name)
  t.same(await migrate(db), expected)
  const known = released.map(([name]) => name)
  t.same(await namesOf(db, 'kysely_migration'), known, 'it knows all that it finds')
  const schemas = async () =>
    (await sql`select from pg_namespace where nspname = 'pgboss'`.execute(db)).rows.length
  t.equal(await schemas(), 1, 'its job queue is there')
  t.same(await migrate(db, migrations, { contract: true }), ['0054-no-job-queue'])
  t.same(await namesOf(db, 'kysely_migration'), [...known, '0054-no-job-queue'])
  t.equal(await schemas(), 0)
})

/** A table with that many rows, and the migrated database. */
async function withRows(t: { teardown(end: () => unknown): void }, rows: number): Promise<TestDatabase> {
  const database = await createDatabase(t)
  await sql`create table things (id bigint primary key, n integer not null default 0)`.execute(database.db)
  await sql`insert into things select n from generate_series(1, ${rows}) as n`.execute(database.db)
  await sql`analyze things`.execute(database.db)
  return database
}

void t.test('batches continue after the session was killed, and do nothing twice', async (t) => {
  const { db, jobs } = await withRows(t, 30_000)
  const step = updateInBatches('things', { set: 'n = n + 1', where: 'things.id % 3 <> 0' })
  let batches = 0
  const known = (dies: boolean): Record<string, Migration> => ({
    ...migrations,
    '9000-more': {
      up: async () => {},
      steps: [
        {
          ...step,
          async batch(trx, place) {
            batches++
            if (dies && batches === 4) {
              const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
              await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
            }
            return step.batch(trx, place)
          },
        },
        createIndex('things_n', 'things (n)'),
      ],
    },
  })
  await t.rejects(migrate(jobs, known(true)))
  const progress = () =>
    sql`select done, step, after::int, rows::int from schema_migrations where name = '9000-more'`
      .execute(db)
      .then(({ rows }) => rows[0] as { after: number })
  const { after } = await progress()
  t.ok(after >= 3_000 && after < 30_000, `some batches are done: ${after}`)

  const said: string[] = []
  t.same(await migrate(jobs, known(false), { say: (line) => said.push(line) }), ['9000-more'])
  const { rows } = await sql`select n, count(*)::int from things group by n order by n`.execute(db)
  t.same(rows, [
    { n: 0, count: 10_000 },
    { n: 1, count: 20_000 },
  ])
  t.match(said, [/30,000 rows of things done/])
  t.match(await progress(), { done: true, step: 2 })
})

void t.test('an invalid index of an interrupted attempt is built anew', async (t) => {
  const { db } = await withRows(t, 100)
  await sql`create index concurrently things_n on things ((1 / n))`.execute(db).catch(() => {})
  const isValid = async () =>
    (await sql`select indisvalid as valid from pg_index where indexrelid = 'things_n'::regclass`.execute(db))
      .rows
  t.same(await isValid(), [{ valid: false }])
  const steps = [createIndex('things_n', 'things (n)')]
  await migrate(db, { ...migrations, '9000-index': { up: async () => {}, steps } })
  t.same(await isValid(), [{ valid: true }])
})

void t.test('rows are checked against a constraint afterwards', async (t) => {
  const { db } = await withRows(t, 10)
  const known = {
    ...migrations,
    '9000-check': {
      ...statement('alter table things add constraint things_small check (n < 5) not valid'),
      steps: [validateConstraint('things', 'things_small')],
    },
  }
  await sql`update things set n = 7 where id = 1`.execute(db)
  await t.rejects(migrate(db, known), /things_small/)
  await sql`update things set n = 1 where id = 1`.execute(db)
  t.same(await migrate(db, known), ['9000-check'])
  const { rows } =
    await sql`select convalidated as valid from pg_constraint where conname = 'things_small'`.execute(db)
  t.same(rows, [{ valid: true }])
})

void t.test('a migration gives way, so that no request waits for a second', async (t) => {
  const { db, jobs } = await withRows(t, 10)
  const migrated = await db.transaction().execute(async (trx) => {
    await sql`select from things`.execute(trx)
    const migrated = migrate(jobs, {
      ...migrations,
      '9000-column': statement('alter table things add column m integer'),
    })
    const longest = await longestRead(db, 1_500)
    t.ok(longest < 900, `${longest} ms while a transaction has read the table`)
    return { migrated }
  })
  t.same(await migrated.migrated, ['9000-column'])
})

/** Milliseconds of the slowest read of `things` for that time. */
async function longestRead(db: TestDatabase['db'], ms: number): Promise<number> {
  const until = performance.now() + ms
  let longest = 0
  while (performance.now() < until) {
    const begun = performance.now()
    await sql`select from things`.execute(db)
    longest = Math.max(longest, performance.now() - begun)
  }
  return longest
}

void t.test('rows of one table that refer to another are written while both change', async (t) => {
  const { db, jobs } = await withRows(t, 10)
  await sql`create table parts (id uuid primary key default gen_random_uuid(), thing bigint not null references things)`.execute(
    db,
  )
  let isOver = false
  const writers = Array.from({ length: 4 }, async () => {
    while (!isOver) await sql`insert into parts (thing) select 1 + random() * 9`.execute(db)
  })
  const both = {
    async up(db: Kysely<unknown>) {
      await sql`alter table things add column m integer`.execute(db)
      await sql`select pg_sleep(0.1)`.execute(db)
      await sql`alter table parts add column m integer`.execute(db)
    },
  }
  const begun = performance.now()
  await migrate(jobs, { ...migrations, '9000-both': both }).finally(() => (isOver = true))
  await Promise.all(writers)
  t.ok(performance.now() - begun < 10_000, 'it need not wait for a moment without writers')
})
