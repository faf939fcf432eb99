import { sql } from 'kysely'
import type { Executor } from '../db/connect.ts'

/** Also one that ends later than any that begins now: a clock that was ahead has begun it. */
const IS_OVER = sql`(counters.resets_at <= now() or counters.resets_at > excluded.resets_at)`

/** Counts a request; answers how many there were in its window, and for how many milliseconds that still goes on. */
export async function countRequest(
  db: Executor,
  key: Buffer,
  windowMs: number,
): Promise<{ current: number; ttl: number }> {
  const end = sql`now() + make_interval(secs => ${windowMs / 1000}::float8)`
  const { rows } = await sql<{ current: number; ttl: number }>`
    insert into rate_limit_counters as counters (key, count, resets_at) values (${key}, 1, ${end})
    on conflict (key) do update set
      count = case when ${IS_OVER} then 1 else counters.count + 1 end,
      resets_at = case when ${IS_OVER} then excluded.resets_at else counters.resets_at end
    returning count as current, (extract(epoch from resets_at - now()) * 1000)::float8 as ttl
  `.execute(db)
  return rows[0] as { current: number; ttl: number }
}

/** The same for many keys at once, each with how many requests there were. */
export async function addCounts(
  db: Executor,
  counts: readonly { key: Buffer; count: number }[],
  windowMs: number,
): Promise<{ key: Buffer; current: number; ttl: number }[]> {
  const { rows } = await sql<{ key: Buffer; current: number; ttl: number }>`
    insert into rate_limit_counters as counters (key, count, resets_at)
    select key, count, now() + make_interval(secs => ${windowMs / 1000}::float8)
    from unnest(${counts.map(({ key }) => key)}::bytea[], ${counts.map(({ count }) => count)}::integer[]) as added (key, count)
    on conflict (key) do update set
      count = case when ${IS_OVER} then excluded.count else counters.count + excluded.count end,
      resets_at = case when ${IS_OVER} then excluded.resets_at else counters.resets_at end
    returning key, count as current, (extract(epoch from resets_at - now()) * 1000)::float8 as ttl
  `.execute(db)
  return rows
}

export const deleteOldCounters = (db: Executor) =>
  sql`delete from rate_limit_counters where resets_at <= now()`.execute(db)
