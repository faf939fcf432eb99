import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'

/**
 * The end of a window that begins at this moment. Not by now(), which is when the transaction began: it may have
 * waited since, while others counted.
 */
const endOf = (windowMs: number) => sql`clock_timestamp() + make_interval(secs => ${windowMs / 1000}::float8)`

/** Also if it ends later than a window that begins now: a clock that was ahead began it. */
const isOver = (windowMs: number) =>
  sql`(counters.resets_at <= clock_timestamp() or counters.resets_at > ${endOf(windowMs)})`

const MS_LEFT = sql`(extract(epoch from resets_at - clock_timestamp()) * 1000)::float8`

/** Counts a request; answers how many there were in its window, and for how many milliseconds that still goes on. */
export async function countRequest(
  db: Executor,
  key: Buffer,
  windowMs: number,
): Promise<{ current: number; ttl: number }> {
  const [end, over] = [endOf(windowMs), isOver(windowMs)]
  const { rows } = await sql<{ current: number; ttl: number }>`
    insert into rate_limit_counters as counters (key, count, resets_at) values (${key}, 1, ${end})
    on conflict (key) do update set
      count = case when ${over} then 1 else counters.count + 1 end,
      resets_at = case when ${over} then ${end} else counters.resets_at end
    returning count as current, ${MS_LEFT} as ttl
  `.execute(db)
  return rows[0] as { current: number; ttl: number }
}

/** The same for many keys at once, each with how many requests there were. */
export async function addCounts(
  db: Executor,
  counts: readonly { key: Buffer; count: number }[],
  windowMs: number,
): Promise<{ key: Buffer; current: number; ttl: number }[]> {
  const [end, over] = [endOf(windowMs), isOver(windowMs)]
  const { rows } = await sql<{ key: Buffer; current: number; ttl: number }>`
    insert into rate_limit_counters as counters (key, count, resets_at)
    select key, count, ${end}
    from unnest(${counts.map(({ key }) => key)}::bytea[], ${counts.map(({ count }) => count)}::integer[]) as added (key, count)
    on conflict (key) do update set
      count = case when ${over} then excluded.count else counters.count + excluded.count end,
      resets_at = case when ${over} then ${end} else counters.resets_at end
    returning key, count as current, ${MS_LEFT} as ttl
  `.execute(db)
  return rows
}

export const deleteOldCounters = (db: Executor) =>
  sql`delete from rate_limit_counters where resets_at <= now()`.execute(db)
