import { sql, type Kysely } from 'kysely'
import { LOCKS, type Lock } from './statements.ts'

/**
 * How long a migration waits for a lock; requests queue behind it for as long, and for as long again for each further
 * table of the same transaction. Less than PostgreSQL's deadlock timeout (1 s), so that the migration gives way to a
 * request when they deadlock.
 */
export const LOCK_TIMEOUT_MS = 250

/** Long enough that PostgreSQL, after its deadlock timeout, cancels an autovacuum that is in the way. */
const VACUUM_TIMEOUT_MS = 5_000

/**
 * Takes the locks of a migration before it does anything, so that none is held while others are waited for longer than
 * necessary. First a lock that no request waits for: it ends autovacuums of the tables and keeps them away, because these
 * give way only after the deadlock timeout. Then, where rows of one table refer to those of another, the former first,
 * as inserts do.
 */
export async function lockTables(
  trx: Kysely<unknown>,
  tables: readonly { name: string; lock: Lock }[],
): Promise<void> {
  const strong = tables.filter(({ lock }) => LOCKS.indexOf(lock) >= LOCKS.indexOf('SHARE'))
  if (strong.length === 0) return
  const ordered = await referringFirst(trx, strong)
  await sql`set local lock_timeout = ${sql.lit(VACUUM_TIMEOUT_MS)}`.execute(trx)
  for (const { name } of ordered) await lock(trx, name, 'SHARE UPDATE EXCLUSIVE')
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(trx)
  for (const { name, lock: mode } of ordered) await lock(trx, name, mode)
}

async function lock(trx: Kysely<unknown>, table: string, mode: Lock): Promise<void> {
  await sql`lock table ${sql.table(table)} in ${sql.raw(mode)} mode`.execute(trx)
}

async function referringFirst<T extends { name: string }>(trx: Kysely<unknown>, tables: T[]): Promise<T[]> {
  const { rows: references } = await sql<{ from: string; to: string }>`
    select conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint where contype = 'f'
  `.execute(trx)
  const seen = new Set<string>()
  const order: string[] = []
  const visit = (name: string): void => {
    if (seen.has(name)) return
    seen.add(name)
    for (const { from, to } of references) if (from === name) visit(to)
    order.unshift(name)
  }
  for (const { name } of tables) visit(name)
  return tables.toSorted((one, other) => order.indexOf(one.name) - order.indexOf(other.name))
}
