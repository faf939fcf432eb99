import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { DueTime } from '../../../plugins/work/due-times-queries.ts'

/** In a row, before the account is left alone. */
const FAILURES = 5
/** For so long at first, twice as long after each try in vain. */
const PAUSE_SECONDS = 10
const MAX_PAUSE_SECONDS = 300

/** Seconds that an account is left alone after so many failures; of its row. */
const pauseSeconds = (failures: ReturnType<typeof sql>) =>
  sql`least(${sql.lit(MAX_PAUSE_SECONDS)}, ${sql.lit(PAUSE_SECONDS)} * power(2, greatest(0, least(${failures} - ${sql.lit(FAILURES)}, 10))))`

const pauseAfter = (failures: ReturnType<typeof sql>) => sql`make_interval(secs => ${pauseSeconds(failures)})`

export const BREAKERS_DUE: DueTime = {
  table: 'provider_configs',
  column: 'breaker_next_try',
  longest: pauseSeconds(sql`breaker_failures`),
}

export const noteUnreachable = (db: Executor, id: string) =>
  sql`
    update provider_configs set breaker_failures = breaker_failures + 1,
      breaker_since = case when breaker_failures + 1 >= ${FAILURES} then coalesce(breaker_since, now()) end,
      breaker_next_try = case when breaker_failures + 1 >= ${FAILURES}
        then now() + ${pauseAfter(sql`(breaker_failures + 1)`)} end
    where id = ${id}
  `.execute(db)

export const closeBreaker = (db: Executor, id: string) =>
  sql`
    update provider_configs set breaker_failures = 0, breaker_since = null, breaker_next_try = null
    where id = ${id} and breaker_failures > 0
  `.execute(db)

/** True for one of those who come when the pause is over: the others wait for what becomes of it. */
export async function takeTry(db: Executor, id: string): Promise<boolean> {
  const { rows } = await sql`
    update provider_configs set breaker_next_try = now() + ${pauseAfter(sql`breaker_failures`)}
    where id = ${id} and breaker_next_try <= now() returning id
  `.execute(db)
  return rows.length > 0
}

/** Null: it may be called. */
export async function secondsToTry(db: Executor, id: string): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from breaker_next_try - now())::float8 as seconds from provider_configs where id = ${id}
  `.execute(db)
  return rows[0]?.seconds ?? null
}
