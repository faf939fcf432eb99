import { sql, type Kysely } from 'kysely'
import type { Migration } from './migration.ts'

/** A migration that was completed or begun on a database. */
export interface Entry {
  name: string
  done: boolean
  /** The number of completed steps; and of the next one, the last key and the rows so far. */
  step: number
  after: string | null
  rows: number
  /** Of a migration that removes something: see Contract. */
  needs: string | null
  release: string | null
}

/** A newer version has removed what this one needs from the database. */
export class DatabaseTooNew extends Error {}

/**
 * Creates the table of migrations and returns its rows. Versions up to 0.4 have a table of Kysely's and refuse a name in it
 * that they don't know, so only migrations that they can't serve after are written there.
 */
export async function prepareJournal(session: Kysely<unknown>): Promise<Entry[]> {
  await sql`
    create table if not exists schema_migrations (
      name text primary key,
      done boolean not null,
      step integer not null default 0,
      after text,
      rows bigint not null default 0,
      needs text,
      release text,
      created_at timestamptz not null default now()
    )
  `.execute(session)
  if (await exists(session, 'kysely_migration')) {
    await sql`
      insert into schema_migrations (name, done) select name, true from kysely_migration on conflict do nothing
    `.execute(session)
  }
  return readJournal(session)
}

/** The migrations of a database, in order; changes nothing. */
export async function readJournal<T>(typed: Kysely<T>): Promise<Entry[]> {
  const db = typed as Kysely<unknown>
  if (await exists(db, 'schema_migrations')) {
    const { rows } = await sql<Entry>`
      select name, done, step, after, rows::float8 as rows, needs, release from schema_migrations order by name
    `.execute(db)
    return rows
  }
  if (!(await exists(db, 'kysely_migration'))) return []
  const { rows } = await sql<Entry>`
    select name, true as done, 0 as step, null as after, 0 as rows, null as needs, null as release
    from kysely_migration order by name
  `.execute(db)
  return rows
}

/** Makes versions up to 0.4 refuse the database. */
export async function knownByOlderVersions(trx: Kysely<unknown>, name: string): Promise<void> {
  await sql`
    create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)
  `.execute(trx)
  await sql`
    insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()}) on conflict do nothing
  `.execute(trx)
}

/**
 * Throws DatabaseTooNew if a migration removed what a version with these migrations needs. Migrations that it doesn't know
 * and that only added something are fine.
 */
export function assertServes(entries: readonly Entry[], known: Record<string, Migration>): void {
  const last = entries.findLast(({ needs }) => needs !== null && known[needs] === undefined)
  if (last) {
    throw new DatabaseTooNew(
      `The database was migrated for version ${last.release} or later (${last.name}), and this version can't serve it. Start that version, or restore a backup from before`,
    )
  }
}

async function exists(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(
    db,
  )
  return rows[0]?.found ?? false
}
