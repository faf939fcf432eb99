import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { DueTime } from '../../../plugins/work/due-times-queries.ts'

const milliseconds = (count: number) => sql`make_interval(secs => ${count / 1000}::float8)`

/** Milliseconds from now; 0 for what has passed. */
const waitUntil = (moment: ReturnType<typeof sql>) =>
  sql`greatest(0, extract(epoch from ${moment} - now()) * 1000)::float8`

/**
 * Takes the next moment at which the server may be asked, and answers how many milliseconds are left until
 * then; null when that is more than `maxWaitMs`, and none is taken.
 */
export async function takeTurn(
  db: Executor,
  server: string,
  { spacingMs, maxWaitMs }: { spacingMs: number; maxWaitMs: number },
): Promise<number | null> {
  const spacing = milliseconds(spacingMs)
  const { rows } = await sql<{ wait: number }>`
    insert into registry_turns as turns (server, next_at) values (${server}, now() + ${spacing})
    on conflict (server) do update set next_at = greatest(turns.next_at, now()) + ${spacing}, noted_at = now()
      where turns.next_at <= now() + ${milliseconds(maxWaitMs)}
    returning ${waitUntil(sql`next_at - ${spacing}`)} as wait
  `.execute(db)
  return rows[0]?.wait ?? null
}

/** Milliseconds until the server may be asked. */
export async function readWait(db: Executor, server: string): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select ${waitUntil(sql`next_at`)} as wait from registry_turns where server = ${server}
  `.execute(db)
  return rows[0]?.wait ?? 0
}

/** Nobody asks the server for so long. */
export const holdTurns = (db: Executor, server: string, restMs: number) =>
  sql`
    insert into registry_turns as turns (server, next_at) values (${server}, now() + ${milliseconds(restMs)})
    on conflict (server) do update set next_at = greatest(turns.next_at, excluded.next_at), noted_at = now()
  `.execute(db)

export const TURNS_DUE: DueTime = {
  table: 'registry_turns',
  column: 'next_at',
  longest: sql`greatest(0, extract(epoch from next_at - noted_at))`,
}

/** A moment that has passed holds nobody up. */
export const deletePassedTurns = (db: Executor) =>
  sql`delete from registry_turns where next_at < now()`.execute(db)
