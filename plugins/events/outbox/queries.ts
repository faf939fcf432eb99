import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf, daysAgo } from '../../../db/expressions.ts'
import { signalOf } from '../../../schemas/events/events.ts'
import type { DueTime } from '../../work/due-times-queries.ts'
import { notify } from '../queries.ts'
import type { NewEvent, StoredEvent } from './event.ts'

/** Key of the advisory lock of the relay; arbitrary, but it must never change. */
const RELAY_LOCK = 7_313_270_022

/** Stores the events, and wakes the instance that distributes them when the transaction is committed. */
export const insertEvents = (db: Executor, events: readonly NewEvent[]) =>
  sql`
    with stored as (
      insert into events (id, name, payload, domain_id)
      select id, name, payload, domain_id
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event (id uuid, name text, payload jsonb, domain_id uuid)
      returning ${notify(signalOf('outbox.filled'))}
    ) select
  `.execute(db)

/**
 * Makes the caller the only relay until its transaction ends, so that events keep their order; false when another is.
 * Its commit doesn't wait for the disk: if it is lost, the events are still there and are distributed again.
 */
export async function holdRelay(trx: Executor): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(RELAY_LOCK)}) as held, set_config('synchronous_commit', 'off', true)
  `.execute(trx)
  return rows[0]?.held === true
}

/** The first events that are due. One that waits for another try holds up the later ones of its domain. */
export const nextEvents = (trx: Executor, limit: number): Promise<StoredEvent[]> =>
  trx
    .selectFrom('events as event')
    .select(['position', 'id', 'name', 'payload', 'created_at as at'])
    .where('failed_at', 'is', null)
    .where('next_try_at', '<=', sql<Date>`now()`)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('events as earlier')
            .whereRef('earlier.domain_id', '=', 'event.domain_id')
            .whereRef('earlier.position', '<', 'event.position')
            .where('earlier.failed_at', 'is', null)
            .where('earlier.next_try_at', '>', sql<Date>`now()`),
        ),
      ),
    )
    .orderBy('position')
    .limit(limit)
    .$castTo<StoredEvent>()
    .execute()

export const deleteEvents = (trx: Executor, positions: readonly string[]) =>
  trx.deleteFrom('events').where('position', '=', anyOf(positions)).execute()

/** Records a failed attempt; returns whether the event is given up, after `maxTries`. */
export async function postponeEvent(
  db: Executor,
  position: string,
  { maxTries, maxSeconds }: { maxTries: number; maxSeconds: number },
): Promise<boolean> {
  const row = await db
    .updateTable('events')
    .set((eb) => ({
      tries: eb('tries', '+', 1),
      next_try_at: sql`now() + make_interval(secs => least(${maxSeconds}, power(2, tries)))`,
      failed_at: sql`case when tries + 1 >= ${maxTries} then now() end`,
    }))
    .where('position', '=', position)
    .returning(sql<boolean>`failed_at is not null`.as('failed'))
    .executeTakeFirst()
  return row?.failed ?? false
}

/** How long an event can wait for its next try, see `postponeEvent`. */
export const eventsDue = (maxSeconds: number): DueTime => ({
  table: 'events',
  column: 'next_try_at',
  longest: sql`case when tries = 0 then 0 else least(${sql.lit(maxSeconds)}, power(2, least(tries - 1, 30))) end`,
  where: sql`failed_at is null`,
})

export async function hasWaitingEvents(db: Executor): Promise<boolean> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('failed_at', 'is', null)
    .where('next_try_at', '<=', sql<Date>`now()`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const deleteFailedEvents = (db: Executor, days: number) =>
  db.deleteFrom('events').where('failed_at', '<', daysAgo(days)).execute()
