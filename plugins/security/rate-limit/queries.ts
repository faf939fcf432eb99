import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'

/**
 * The end of a window that starts now. Not now(), the start of the transaction, which may have waited while
 * others counted.
 */
const endOf = (windowMs: number) =>
  sql<Date>`clock_timestamp() + make_interval(secs => ${windowMs / 1000}::float8)`

/** Also if it ends later than a window starting now: a clock that was ahead started it. */
const isOver = (windowMs: number) =>
  sql<boolean>`(rate_limit_counters.resets_at <= clock_timestamp() or rate_limit_counters.resets_at > ${endOf(windowMs)})`

const MS_LEFT = sql<number>`(extract(epoch from rate_limit_counters.resets_at - clock_timestamp()) * 1000)::float8`

interface Total {
  key: Buffer
  /** Requests in the window so far. */
  current: number
  /** Milliseconds until the window ends. */
  ttl: number
}

/** Adds each count to its key's window and returns the totals. */
export const addCounts = (
  db: Executor,
  counts: readonly { key: Buffer; count: number }[],
  windowMs: number,
): Promise<Total[]> =>
  db
    .insertInto('rate_limit_counters')
    .values(counts.map(({ key, count }) => ({ key, count, resets_at: endOf(windowMs) })))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => ({
        count: eb
          .case()
          .when(isOver(windowMs))
          .then(eb.ref('excluded.count'))
          .else(eb('rate_limit_counters.count', '+', eb.ref('excluded.count')))
          .end(),
        resets_at: eb
          .case()
          .when(isOver(windowMs))
          .then(endOf(windowMs))
          .else(eb.ref('rate_limit_counters.resets_at'))
          .end(),
      })),
    )
    .returning(['key', 'count as current', MS_LEFT.as('ttl')])
    .execute()

/** Counts one request and returns the total of its key's window. */
export async function countRequest(db: Executor, key: Buffer, windowMs: number): Promise<Total> {
  const [total] = await addCounts(db, [{ key, count: 1 }], windowMs)
  return total as Total
}

export const deleteOldCounters = (db: Executor) =>
  db
    .deleteFrom('rate_limit_counters')
    .where('resets_at', '<=', sql<Date>`now()`)
    .execute()
