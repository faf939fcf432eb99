import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { violates } from '../connection/errors.ts'
import type { Database } from '../tables/index.ts'
import { assertServes, knownByOlderVersions, prepareJournal, type Entry } from './journal.ts'
import { migrations } from './index.ts'
import { LOCK_TIMEOUT_MS, lockTables } from './locks.ts'
import type { BatchStep, Migration } from './migration.ts'
import { tablesOf } from './plan.ts'

/** Pause after giving way, and how long a transaction is tried. */
const PAUSE_MS = 250
const GIVE_UP_MS = 60_000

/** Length of a batch, and its first and largest number of rows. */
const BATCH_MS = 200
const FIRST_SIZE = 1_000
const LARGEST_SIZE = 50_000

/** Milliseconds between lines of progress. */
const SAY_EVERY_MS = 5_000

/** Key of the lock that one migrating instance holds; the one that Kysely's migrator takes in versions up to 0.4. */
const LOCK = sql.lit('3853314791062309107')

export interface MigrateOptions {
  /** Whether to run the migrations that remove what earlier releases use. A new database gets them anyway. */
  contract?: boolean
  /** Called with lines of progress. */
  say?: (line: string) => void
}

/**
 * Migrates the schema to the current version and returns the names of the migrations that were completed. Each migration
 * is a transaction; its further steps continue where an earlier attempt stopped. Several instances may call it at once: one
 * migrates, the others wait. Rejects with DatabaseTooNew if this version can't serve the database. Takes a session lock,
 * which doesn't work through a pooler in transaction mode.
 */
export function migrate(
  db: Kysely<Database>,
  known: Record<string, Migration> = migrations,
  { contract = false, say = () => {} }: MigrateOptions = {},
): Promise<string[]> {
  return db.connection().execute(async (typed) => {
    const session = typed as Kysely<unknown>
    // A migration may take longer than any other statement.
    await sql`set statement_timeout = 0`.execute(session)
    try {
      await lock(session)
      const entries = await prepareJournal(session)
      assertServes(entries, known)
      const done = new Set(entries.filter(({ done }) => done).map(({ name }) => name))
      const pending = Object.entries(known)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .filter(
          ([name, migration]) => !done.has(name) && (!migration.contract || contract || done.size === 0),
        )
      for (const [name, migration] of pending) {
        await run(session, name, migration, { entry: entries.find((entry) => entry.name === name), say })
      }
      return pending.map(([name]) => name)
    } finally {
      // A broken session has lost its lock and settings.
      await sql`select pg_advisory_unlock_all()`.execute(session).catch(() => {})
      await sql`reset all`.execute(session).catch(() => {})
    }
  })
}

/** Polls, because a session that waits in a statement would hold up `create index concurrently`. */
async function lock(session: Kysely<unknown>): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_lock(${LOCK}) as held`.execute(
      session,
    )
    if (rows[0]?.held) return
    await sleep(PAUSE_MS)
  }
}

interface Run {
  /** Set if an earlier attempt did a part. */
  entry: Entry | undefined
  say: (line: string) => void
}

async function run(
  session: Kysely<unknown>,
  name: string,
  { up, steps = [], contract }: Migration,
  { entry, say }: Run,
): Promise<void> {
  if (!entry) {
    const tables = await tablesOf(session, { up })
    await givingWay(name, session, async (trx) => {
      await lockTables(trx, tables)
      await up(trx)
      await sql`
        insert into schema_migrations (name, done, needs, release)
        values (${name}, ${steps.length === 0}, ${contract?.needs ?? null}, ${contract?.release ?? null})
      `.execute(trx)
      if (contract) await knownByOlderVersions(trx, name)
    })
  }
  for (const [i, step] of steps.entries()) {
    if (i < (entry?.step ?? 0)) continue
    if ('run' in step) {
      // The locks of such steps queue in front of no request.
      await sql`set lock_timeout = 0`.execute(session)
      await step.run(session)
    } else {
      await runBatches(session, name, step, { entry: entry?.step === i ? entry : undefined, say })
    }
    await sql`
      update schema_migrations set step = ${i + 1}, after = null, rows = 0, done = ${i + 1 === steps.length} where name = ${name}
    `.execute(session)
  }
}

async function runBatches(
  session: Kysely<unknown>,
  name: string,
  { table, batch }: BatchStep,
  { entry, say }: Run,
): Promise<void> {
  const { rows: counted } = await sql<{ total: number }>`
    select greatest(reltuples, 0)::float8 as total from pg_class where oid = to_regclass(${table})
  `.execute(session)
  const total = counted[0]?.total ?? 0
  let after = entry?.after ?? null
  let rows = entry?.rows ?? 0
  let size = FIRST_SIZE
  let said = performance.now()
  const begun = { at: said, rows }
  for (;;) {
    const startedAt = performance.now()
    const place = { after, size }
    const part = await givingWay(name, session, async (trx) => {
      const part = await batch(trx, place)
      if (part === null) return null
      await sql`
        update schema_migrations set after = ${part.last}, rows = rows + ${part.rows} where name = ${name}
      `.execute(trx)
      return part
    })
    const now = performance.now()
    if (part !== null) {
      after = part.last
      rows += part.rows
      size = Math.round(
        Math.min(Math.max((size * BATCH_MS) / (now - startedAt), 100), size * 2, LARGEST_SIZE),
      )
    }
    if (part === null || now - said >= SAY_EVERY_MS) {
      said = now
      const rate = (rows - begun.rows) / (now - begun.at)
      say(`${name}: ${progress(table, { rows, total, rate, isOver: part === null })}`)
    }
    if (part === null) return
  }
}

function progress(
  table: string,
  { rows, total, rate, isOver }: { rows: number; total: number; rate: number; isOver: boolean },
): string {
  const count = (value: number) => Math.round(value).toLocaleString('en')
  if (isOver) return `${count(rows)} rows of ${table} done`
  const left = Math.max(0, total - rows) / rate / 1_000
  return `${count(rows)} of about ${count(Math.max(total, rows))} rows of ${table}, about ${count(left)} s left`
}

/** Runs a transaction, and again if it waited for a lock longer than requests should have to. */
async function givingWay<T>(
  name: string,
  session: Kysely<unknown>,
  work: (trx: Kysely<unknown>) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + GIVE_UP_MS
  await sql`set lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(session)
  for (;;) {
    try {
      return await session.transaction().execute(work)
    } catch (error) {
      if (!violates(error, 'lockTimeout') && !violates(error, 'deadlock')) throw error
      if (performance.now() >= deadline) {
        throw new Error(
          `Migration ${name} needs a table that other sessions have used for ${GIVE_UP_MS / 1_000} s without a pause. End long transactions, such as that of pg_dump, and start again`,
          { cause: error },
        )
      }
    }
    await sleep(PAUSE_MS)
  }
}
