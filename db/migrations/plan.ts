import { sql, type Kysely } from 'kysely'
import { assertServes, readJournal } from './journal.ts'
import { migrations } from './index.ts'
import type { Migration } from './migration.ts'
import { effectsOf, LOCKS, statementsOf, type Lock, type Work } from './statements.ts'

/** A migration that a database lacks. */
export interface PlannedMigration {
  name: string
  phase: 'expand' | 'contract'
  /** Set for `contract`: the release that every instance must have. */
  release: string | null
  /** Whether an earlier attempt did a part of it. */
  isBegun: boolean
  /** The existing tables that it takes, with the strongest lock and the most work of its statements. */
  tables: PlannedTable[]
}

export interface PlannedTable {
  name: string
  /** PostgreSQL's estimate. */
  rows: number
  lock: Lock
  /** Estimated from the rows; 0 for what doesn't depend on them. */
  seconds: number
}

/** Rows per second, roughly, on two processors with the tables in memory. */
const RATES: Record<Exclude<Work, 'none'>, number> = {
  scan: 2_000_000,
  index: 250_000,
  exclusion: 30_000,
  rewrite: 200_000,
  update: 25_000,
}

/** Returns the migrations that the database lacks, in order. Only reads. Rejects with DatabaseTooNew. */
export async function planMigrations<T>(
  typed: Kysely<T>,
  known: Record<string, Migration> = migrations,
): Promise<PlannedMigration[]> {
  const db = typed as Kysely<unknown>
  const entries = await readJournal(db)
  assertServes(entries, known)
  const planned: PlannedMigration[] = []
  for (const [name, migration] of Object.entries(known)) {
    const entry = entries.find((entry) => entry.name === name)
    if (entry?.done) continue
    planned.push({
      name,
      phase: migration.contract ? 'contract' : 'expand',
      release: migration.contract?.release ?? null,
      isBegun: entry !== undefined,
      tables: await tablesOf(db, migration),
    })
  }
  return planned
}

/** Returns the existing tables that a migration takes. */
export async function tablesOf(db: Kysely<unknown>, migration: Migration): Promise<PlannedTable[]> {
  const effects = (await statementsOf(migration)).flatMap(effectsOf)
  const { rows: counted } = await sql<{ name: string; rows: number; indexes: string[] }>`
    select relname as name, greatest(reltuples, 0)::float8 as rows,
      array(select indexrelid::regclass::text from pg_index where indrelid = pg_class.oid) as indexes
    from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
  `.execute(db)
  const tables = new Map<string, PlannedTable>()
  for (const { table, index, lock, work } of effects) {
    const found = counted.find(({ name, indexes }) => name === table || indexes.includes(index ?? ''))
    // Tables and indexes that pending migrations create.
    if (!found) continue
    const { name, rows } = found
    const before = tables.get(name) ?? { name, rows, lock, seconds: 0 }
    const seconds = before.seconds + (work === 'none' ? 0 : rows / RATES[work])
    tables.set(name, { ...before, seconds, lock: stronger(lock, before.lock) })
  }
  return [...tables.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

const stronger = (one: Lock, other: Lock): Lock => (LOCKS.indexOf(one) > LOCKS.indexOf(other) ? one : other)

const EFFECTS: Record<Lock, string> = {
  'ROW EXCLUSIVE': 'reads and writes go on',
  'SHARE UPDATE EXCLUSIVE': 'reads and writes go on',
  SHARE: 'writes wait',
  'SHARE ROW EXCLUSIVE': 'writes wait',
  'ACCESS EXCLUSIVE': 'reads and writes wait',
}

/** Says in lines of text what `migrate` would do. */
export function describePlan(planned: PlannedMigration[]): string[] {
  if (planned.length === 0) return ['The database is up to date']
  return planned.flatMap(({ name, phase, release, isBegun, tables }) => [
    `${name}  ${phase}${isBegun ? ', continues' : ''}${release === null ? '' : `: only with --contract, when every instance is ${release} or later`}`,
    ...(tables.length === 0 ? ['  only new tables, instant'] : []),
    ...tables.map(
      ({ name, rows, lock, seconds }) =>
        `  ${name}: ${Math.round(rows).toLocaleString('en')} rows, ${lock} (${EFFECTS[lock]}), ${durationOf(seconds, rows)}`,
    ),
  ])
}

function durationOf(seconds: number, rows: number): string {
  if (seconds < 1) return 'instant'
  const time = seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
  return `about ${time} for ${Math.round(rows).toLocaleString('en')} rows`
}
