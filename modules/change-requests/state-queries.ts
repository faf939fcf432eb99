import { sql } from 'kysely'
import { CHANGE_REQUESTS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import { inSeconds } from '../../db/expressions.ts'
import { LEASE_SECONDS } from '../../plugins/work/leases.ts'
import { GIVEN_UP_SECONDS } from '../records/service.ts'
import type { Row } from './queries.ts'

/* The states of a change request, from its approval to its end. */

/** Approves an open request. Unless its time is ahead, this instance applies it; another one does if it dies. */
export const markApproved = (db: Executor, id: string, by: { userId: string; username: string }) =>
  db
    .updateTable('change_requests')
    .set({
      status: 'approved',
      approver_id: by.userId,
      approver_name: by.username,
      approved_at: sql<Date>`now()`,
      updated_at: sql<Date>`now()`,
      due_at: sql<Date>`coalesce(apply_at, ${inSeconds(LEASE_SECONDS)})`,
      tries: sql<number>`case when apply_at is null then 1 else 0 end`,
    })
    .where('id', '=', id)
    .execute()

export const markEnded = (db: Executor, id: string, status: 'rejected' | 'withdrawn') =>
  db
    .updateTable('change_requests')
    .set({ status, due_at: null, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()

/** Applies an approved request now instead of at its time. This instance does it; another one if it dies. */
export const markNow = (db: Executor, id: string) =>
  db
    .updateTable('change_requests')
    .set({
      apply_at: sql<Date>`now()`,
      due_at: inSeconds(LEASE_SECONDS),
      tries: 1,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .execute()

const isLate = sql<boolean>`coalesce(apply_at + make_interval(secs => ${GIVEN_UP_SECONDS}) <= now(), false)`

/** Whether the time of a request has passed. */
export async function isPast(db: Executor, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('change_requests')
    .select(sql<boolean>`coalesce(apply_at <= now(), false)`.as('past'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.past ?? false
}

/** Stores the change that applies an approved request; false if it is no longer approved, or has one already. */
export async function takeRequest(
  trx: Executor,
  { id, revision }: Pick<Row, 'id' | 'revision'>,
  changeId: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('change_requests')
    .set({ change_id: changeId, due_at: null, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('status', '=', 'approved')
    .where('change_id', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends an approved request that came to no change; undefined if it did after all. */
export const markNotApplied = (
  db: Executor,
  { id, revision }: Pick<Row, 'id' | 'revision'>,
  status: 'outdated' | 'failed',
  problem: object,
): Promise<Row | undefined> =>
  db
    .updateTable('change_requests')
    .set({ status, problem: JSON.stringify(problem), due_at: null, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('status', '=', 'approved')
    .where('change_id', 'is', null)
    .returning(CHANGE_REQUESTS)
    .executeTakeFirst()

/** Puts off an approved request; false if its time is too long ago, or it is no longer approved. */
export async function putOff(db: Executor, id: string, seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('change_requests')
    .set({ due_at: inSeconds(seconds) })
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .where('change_id', 'is', null)
    .where(sql<boolean>`not ${isLate}`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A request that is due; `is_late`: its time is too long ago, by the clock of the database. */
export type DueRow = Row & { is_late: boolean }

/** Claims approved requests that are due for LEASE_SECONDS. */
export const claimDue = (db: Executor, limit: number): Promise<DueRow[]> =>
  db
    .updateTable('change_requests')
    .set((eb) => ({
      due_at: inSeconds(LEASE_SECONDS),
      tries: eb('tries', '+', 1),
    }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('change_requests')
        .select('id')
        .where('due_at', '<=', sql<Date>`now()`)
        .where('status', '=', 'approved')
        .where('change_id', 'is', null)
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(CHANGE_REQUESTS)
    .returning(isLate.as('is_late'))
    .execute()

/** Requests whose change has ended since, marked as such; each once. `id`: only this one. */
export const settleRequests = (db: Executor, limit: number, id?: string) =>
  db
    .updateTable('change_requests')
    .from('changes')
    .set({ settled: true, updated_at: sql<Date>`now()` })
    .where('change_requests.id', 'in', (eb) =>
      eb
        .selectFrom('change_requests as waiting')
        .innerJoin('changes as ended', 'ended.id', 'waiting.change_id')
        .select('waiting.id')
        .where('waiting.settled', '=', false)
        .where('ended.status', '<>', 'pending')
        .$if(id !== undefined, (query) => query.where('waiting.id', '=', id as string))
        .limit(limit)
        .forUpdate('waiting')
        .skipLocked(),
    )
    .whereRef('changes.id', '=', 'change_requests.change_id')
    .returning(CHANGE_REQUESTS)
    .returning('changes.status as change_status')
    .execute()

/** Deletes requests that ended that long ago. */
export const deleteLongEnded = (db: Executor, days: number) =>
  db
    .deleteFrom('change_requests')
    .where('status', '<>', 'open')
    .where('due_at', 'is', null)
    .where('updated_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute()
