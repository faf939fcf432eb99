import { sql } from 'kysely'
import type { Executor } from '../../../../db/connection/connect.ts'
import type { DueTime } from '../../../../plugins/work/due-times-queries.ts'

const milliseconds = (count: number) => sql`make_interval(secs => ${count / 1000}::float8)`

/** Milliseconds from now; 0 for what has passed. */
const waitUntil = (moment: ReturnType<typeof sql>) =>
  sql<number>`greatest(0, extract(epoch from ${moment} - now()) * 1000)::float8`

/**
 * Takes the next time slot at the server and returns the milliseconds until it; null, without taking one, if that
 * exceeds `maxWaitMs`.
 */
export async function takeTurn(
  db: Executor,
  server: string,
  { spacingMs, maxWaitMs }: { spacingMs: number; maxWaitMs: number },
): Promise<number | null> {
  const spacing = milliseconds(spacingMs)
  const row = await db
    .insertInto('registry_turns')
    .values({ server, next_at: sql<Date>`now() + ${spacing}` })
    .onConflict((on) =>
      on
        .column('server')
        .doUpdateSet({
          next_at: sql<Date>`greatest(registry_turns.next_at, now()) + ${spacing}`,
          noted_at: sql<Date>`now()`,
        })
        .where('registry_turns.next_at', '<=', sql<Date>`now() + ${milliseconds(maxWaitMs)}`),
    )
    .returning(waitUntil(sql`next_at - ${spacing}`).as('wait'))
    .executeTakeFirst()
  return row?.wait ?? null
}

/** Milliseconds until the server may be queried. */
export async function readWait(db: Executor, server: string): Promise<number> {
  const row = await db
    .selectFrom('registry_turns')
    .select(waitUntil(sql`next_at`).as('wait'))
    .where('server', '=', server)
    .executeTakeFirst()
  return row?.wait ?? 0
}

/** Blocks queries to the server for that long. */
export const holdTurns = (db: Executor, server: string, restMs: number) =>
  db
    .insertInto('registry_turns')
    .values({ server, next_at: sql<Date>`now() + ${milliseconds(restMs)}` })
    .onConflict((on) =>
      on.column('server').doUpdateSet({
        next_at: sql<Date>`greatest(registry_turns.next_at, excluded.next_at)`,
        noted_at: sql<Date>`now()`,
      }),
    )
    .execute()

export const TURNS_DUE: DueTime = {
  table: 'registry_turns',
  column: 'next_at',
  longest: sql`greatest(0, extract(epoch from next_at - noted_at))`,
}

/** Deletes time slots in the past. */
export const deletePassedTurns = (db: Executor) =>
  db
    .deleteFrom('registry_turns')
    .where('next_at', '<', sql<Date>`now()`)
    .execute()
