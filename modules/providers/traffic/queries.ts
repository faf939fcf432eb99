import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { DueTime } from '../../../plugins/work/due-times-queries.ts'

/** Failures in a row before the connection is paused. */
const FAILURES = 5
/** First pause; doubled after each failed attempt. */
const PAUSE_SECONDS = 10
const MAX_PAUSE_SECONDS = 300

/** Returns the pause in seconds after this many failures; SQL on the connection's row. */
const pauseSeconds = (failures: ReturnType<typeof sql>) =>
  sql`least(${sql.lit(MAX_PAUSE_SECONDS)}, ${sql.lit(PAUSE_SECONDS)} * power(2, greatest(0, least(${failures} - ${sql.lit(FAILURES)}, 10))))`

const pauseAfter = (failures: ReturnType<typeof sql>) => sql`make_interval(secs => ${pauseSeconds(failures)})`

export const BREAKERS_DUE: DueTime = {
  table: 'provider_configs',
  column: 'breaker_next_try',
  longest: pauseSeconds(sql`breaker_failures`),
}

export const noteUnreachable = (db: Executor, id: string) =>
  db
    .updateTable('provider_configs')
    .set((eb) => ({
      breaker_failures: eb('breaker_failures', '+', 1),
      breaker_since: sql<Date>`case when breaker_failures + 1 >= ${FAILURES}
        then coalesce(breaker_since, now()) end`,
      breaker_next_try: sql<Date>`case when breaker_failures + 1 >= ${FAILURES}
        then now() + ${pauseAfter(sql`(breaker_failures + 1)`)} end`,
    }))
    .where('id', '=', id)
    .execute()

export const closeCircuit = (db: Executor, id: string) =>
  db
    .updateTable('provider_configs')
    .set({ breaker_failures: 0, breaker_since: null, breaker_next_try: null })
    .where('id', '=', id)
    .where('breaker_failures', '>', 0)
    .execute()

/** True for one of the callers after the pause; the others wait for its result. */
export async function takeTry(db: Executor, id: string): Promise<boolean> {
  const row = await db
    .updateTable('provider_configs')
    .set({ breaker_next_try: sql<Date>`now() + ${pauseAfter(sql`breaker_failures`)}` })
    .where('id', '=', id)
    .where('breaker_next_try', '<=', sql<Date>`now()`)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Null: it can be called. */
export async function secondsToTry(db: Executor, id: string): Promise<number | null> {
  const row = await db
    .selectFrom('provider_configs')
    .select(sql<number | null>`extract(epoch from breaker_next_try - now())::float8`.as('seconds'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.seconds ?? null
}

/** How long changes of a connection are serialized after one was refused because of another. */
export const SERIALIZED_MINUTES = 10

export const noteSerialized = (db: Executor, configId: string) =>
  db
    .updateTable('provider_configs')
    .set({ in_turn_until: sql<Date>`now() + make_interval(mins => ${SERIALIZED_MINUTES})` })
    .where('id', '=', configId)
    .execute()
