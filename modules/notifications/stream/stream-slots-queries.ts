import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf, inSeconds } from '../../../db/expressions.ts'

/** Open streams per user, on all instances together. */
export const STREAMS_OF_A_USER = 5

/** A slot not renewed for this long is free. */
export const LEASE_SECONDS = 30

const leaseUntil = () => inSeconds(LEASE_SECONDS)

/** Takes the user's lowest free slot; false if all are taken, or another stream took it at the same time. */
export async function takeSlot(db: Executor, userId: string, streamId: string): Promise<boolean> {
  const { rows } = await sql`
    insert into stream_slots as slots (user_id, slot, stream_id, lease_until)
    select ${userId}::uuid, number, ${streamId}::uuid, ${leaseUntil()}
    from generate_series(1, ${STREAMS_OF_A_USER}::integer) as number
    where not exists (
      select from stream_slots as taken
      where taken.user_id = ${userId}::uuid and taken.slot = number and taken.lease_until > now()
    )
    order by number limit 1
    on conflict (user_id, slot) do update
      set stream_id = excluded.stream_id, lease_until = excluded.lease_until
      where slots.lease_until <= now()
    returning slots.slot
  `.execute(db)
  return rows.length > 0
}

export const renewSlots = (db: Executor, streamIds: readonly string[]) =>
  db
    .updateTable('stream_slots')
    .set({ lease_until: leaseUntil() })
    .where('stream_id', '=', anyOf(streamIds))
    .execute()

export const releaseSlots = (db: Executor, streamIds: readonly string[]) =>
  db.deleteFrom('stream_slots').where('stream_id', '=', anyOf(streamIds)).execute()

/** Deletes slots left by dead instances. */
export const deleteLapsedSlots = (db: Executor) =>
  db
    .deleteFrom('stream_slots')
    .where('lease_until', '<', sql<Date>`now() - interval '1 hour'`)
    .execute()

/** Deletes all slots, when an instance that is alone on its database starts. */
export async function clearSlots(db: Executor): Promise<void> {
  await db.deleteFrom('stream_slots').execute()
}
