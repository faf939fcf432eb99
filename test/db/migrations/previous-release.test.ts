import { readFileSync } from 'node:fs'
import { sql, type Kysely } from 'kysely'
import t from 'tap'
import { migrations } from '../../../db/migrations/index.ts'
import { migrate } from '../../../db/migrations/migrator.ts'
import type { Database } from '../../../db/tables/index.ts'
import { createEmptyDatabase } from '../../helpers/database.ts'

/*
 * Instances of the previous release, 0.4.0, serve the database that this version has migrated. A clean clone has no older
 * code to run, so this holds the schema to what that code says to it: previous-release.sql has statements that the tests of
 * 0.4.0 sent, one a line, chosen so that they use each table and column that any of them used. PostgreSQL must still parse
 * and plan them. What it tells only when they run, a value that is missing or refused, follows from the catalogue. That its
 * clients are answered as before is the matter of test/programs/openapi-compatibility.test.ts.
 *
 * With a release: record the statements of its tests anew (Kysely's `log`), and set LAST to its last migration.
 */
const LAST = '0044-external-sessions'
const statements = readFileSync(new URL('previous-release.sql', import.meta.url), 'utf8')
  .trim()
  .split('\n')

const { db } = await createEmptyDatabase(t)
await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= LAST)))

/** The statements that PostgreSQL refuses, with the reasons. */
function refused(): Promise<string[]> {
  return db.connection().execute(async (session) => {
    const found: string[] = []
    for (const statement of statements) {
      await sql
        .raw(`prepare old as ${statement}`)
        .execute(session)
        .then(() => sql`deallocate old`.execute(session))
        .catch((error: Error) => found.push(`${error.message}: ${statement.slice(0, 200)}`))
    }
    return found
  })
}

interface Column {
  table: string
  name: string
  type: string
  required: boolean
  filled: boolean
}

/** The columns of all tables; `required`: without nulls, `filled`: when an insert leaves it out. */
const columnsOf = async (db: Kysely<Database>) =>
  (
    await sql<Column>`
      select relname as table, attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required,
        atthasdef or attidentity <> '' as filled
      from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
        and relname <> 'schema_migrations'
    `.execute(db)
  ).rows

/** The rules for rows, by table, each with its columns. */
const rulesOf = async (db: Kysely<Database>) =>
  (
    await sql<{ table: string; rule: string; columns: string[] }>`
      select relname as table, pg_get_constraintdef(pg_constraint.oid) as rule,
        array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey)) as columns
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where relnamespace = 'public'::regnamespace and contype in ('c', 'f', 'u', 'p', 'x')
      union all
      select pg_class.relname, pg_get_indexdef(indexrelid),
        array(select attname::text from pg_attribute where attrelid = indrelid and attnum = any(indkey))
      from pg_index join pg_class on pg_class.oid = indrelid
      where relnamespace = 'public'::regnamespace and indisunique
    `.execute(db)
  ).rows

const before = { refused: await refused(), columns: await columnsOf(db), rules: await rulesOf(db) }
await migrate(db)
const after = { columns: await columnsOf(db), rules: await rulesOf(db) }

const isOld = ({ table, name }: { table: string; name: string }) =>
  before.columns.some((one) => one.table === table && one.name === name)

void t.test('its statements are understood', async (t) => {
  t.ok(statements.length > 100)
  t.same(before.refused, [], 'before')
  t.same(await refused(), [], 'after')
})

void t.test('its columns are as they were, and may be null or left out where they could', async (t) => {
  for (const { table, name, type, required, filled } of before.columns) {
    const now = after.columns.find((one) => one.table === table && one.name === name)
    t.equal(now?.type, type, `${table}.${name}`)
    if (!required) t.equal(now?.required, false, `${table}.${name}`)
    if (filled) t.ok(now?.filled, `${table}.${name} has a default`)
  }
})

void t.test(
  'its inserts need no column that it does not know, and no rule is new for those that it knows',
  async (t) => {
    const oldTables = new Set(before.columns.map(({ table }) => table))
    for (const column of after.columns) {
      if (!oldTables.has(column.table) || isOld(column)) continue
      t.ok(!column.required || column.filled, `${column.table}.${column.name}`)
    }
    const known = new Set(before.rules.map(({ table, rule }) => `${table} ${rule}`))
    for (const { table, rule, columns } of after.rules) {
      if (!oldTables.has(table) || known.has(`${table} ${rule}`)) continue
      t.ok(!columns.some((name) => isOld({ table, name })), `${table}: ${rule}`)
    }
  },
)
