import { sql, type Selectable, type SqlBool } from 'kysely'
import { SCHEDULED_CHANGES } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf, inSeconds } from '../../../db/expressions.ts'
import type { ChangeSource, ScheduledChangesTable, StoredStep } from '../../../db/tables/index.ts'
import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'
import type { DueTime } from '../../../plugins/work/due-times-queries.ts'
import { GIVEN_UP_SECONDS, MAX_DAYS_AHEAD, PAUSE_SECONDS } from './times.ts'

export type ScheduledRow = Selectable<ScheduledChangesTable>

/** Whether a time is ahead, and not too far, by the clock of the database. */
export async function placeInTime(db: Executor, moment: string): Promise<'past' | 'ahead' | 'too_far'> {
  const { rows } = await sql<{ place: 'past' | 'ahead' | 'too_far' }>`
    select case when ${moment}::timestamptz <= now() then 'past'
      when ${moment}::timestamptz > now() + make_interval(days => ${MAX_DAYS_AHEAD}) then 'too_far'
      else 'ahead' end as place
  `.execute(db)
  return (rows[0] as { place: 'past' | 'ahead' | 'too_far' }).place
}

type NewRow = Pick<
  ScheduledRow,
  | 'id'
  | 'domain_id'
  | 'author_id'
  | 'author_name'
  | 'origin'
  | 'token_id'
  | 'token_name'
  | 'token_suffix'
  | 'ip'
  | 'operation_id'
  | 'emergency_reason'
  | 'created'
  | 'updated'
  | 'deleted'
  | 'confirm_minutes'
> & { body: string; steps: string; touched: string; applyAt: string }

export const insertScheduled = (db: Executor, { applyAt, ...row }: NewRow) =>
  db
    .insertInto('scheduled_changes')
    .values({ ...row, apply_at: new Date(applyAt), due_at: new Date(applyAt) })
    .execute()

/** Changes of an author that are scheduled in a domain. */
export async function countScheduledBy(db: Executor, domainId: string, authorId: string): Promise<number> {
  const { count } = await db
    .selectFrom('scheduled_changes')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('domain_id', '=', domainId)
    .where('author_id', '=', authorId)
    .where('status', '=', 'scheduled')
    .executeTakeFirstOrThrow()
  return count
}

export const findScheduled = (
  db: Executor,
  domainId: string,
  id: string,
  { lock = false } = {},
): Promise<ScheduledRow | undefined> =>
  db
    .selectFrom('scheduled_changes')
    .select(SCHEDULED_CHANGES)
    .where('domain_id', '=', domainId)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()

/** Those of a domain with that status; what is applied next comes first, what was cancelled last comes first. */
export const listScheduled = (
  db: Executor,
  domainId: string,
  status: 'scheduled' | 'cancelled',
): Promise<ScheduledRow[]> =>
  db
    .selectFrom('scheduled_changes')
    .select(SCHEDULED_CHANGES)
    .where('domain_id', '=', domainId)
    .where('status', '=', status)
    .orderBy(status === 'scheduled' ? 'apply_at' : sql`ended_at desc`)
    .orderBy('id')
    .execute()

/** A change whose time has come; `is_late`: too long ago, by the clock of the database. */
export type DueRow = ScheduledRow & { is_late: boolean }

const isLate = sql<boolean>`(apply_at + make_interval(secs => ${GIVEN_UP_SECONDS}) <= now())`

/** Claims changes that are due for LEASE_SECONDS. */
export const claimDue = (db: Executor, limit: number): Promise<DueRow[]> =>
  db
    .updateTable('scheduled_changes')
    .set({ due_at: inSeconds(LEASE_SECONDS) })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('scheduled_changes')
        .select('id')
        .where('due_at', '<=', sql<Date>`now()`)
        .where('status', '=', 'scheduled')
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(SCHEDULED_CHANGES)
    .returning(isLate.as('is_late'))
    .execute()

export const renewScheduled = (db: Executor, ids: readonly string[]) =>
  db
    .updateTable('scheduled_changes')
    .set({ due_at: inSeconds(LEASE_SECONDS) })
    .where('id', '=', anyOf(ids))
    .where('status', '=', 'scheduled')
    .execute()

/** Puts a change off; false if it has waited for too long, or no longer waits. */
export async function putOff(db: Executor, id: string, seconds: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scheduled_changes')
    .set({ due_at: inSeconds(seconds) })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .where(sql<SqlBool>`not ${isLate}`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * The time of a change that still waits is now; undefined if it no longer waits. `here`: this instance applies it, and
 * another one if it dies; otherwise any instance does, soon.
 */
export const markNow = (
  trx: Executor,
  id: string,
  { here }: { here: boolean },
): Promise<ScheduledRow | undefined> =>
  trx
    .updateTable('scheduled_changes')
    .set({ apply_at: sql<Date>`now()`, due_at: here ? inSeconds(LEASE_SECONDS) : sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .returning(SCHEDULED_CHANGES)
    .executeTakeFirst()

/** Ends a change that still waits; undefined if it doesn't. */
const endWaiting = (
  db: Executor,
  id: string,
  end: { status: 'taken' | 'failed' | 'cancelled'; problem?: string },
): Promise<ScheduledRow | undefined> =>
  db
    .updateTable('scheduled_changes')
    .set({ ...end, due_at: null, ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'scheduled')
    .returning(SCHEDULED_CHANGES)
    .executeTakeFirst()

/** In the transaction that opens its change. False if it no longer waits. */
export const takeScheduled = async (trx: Executor, id: string): Promise<boolean> =>
  (await endWaiting(trx, id, { status: 'taken' })) !== undefined

export const markCancelled = (trx: Executor, id: string) => endWaiting(trx, id, { status: 'cancelled' })

export const markFailed = (trx: Executor, id: string, problem: object) =>
  endWaiting(trx, id, { status: 'failed', problem: JSON.stringify(problem) })

/** Stores a scheduled change that came to nothing as a failed one in the journal. */
export async function insertFailedChange(
  trx: Executor,
  { id, domain_id, author_id, author_name, token_id, token_name, token_suffix, ...row }: ScheduledRow,
  { source, error }: { source: ChangeSource; error: string },
): Promise<void> {
  const items = JSON.stringify(row.steps.map((step, position) => toItem(step, position)))
  await sql`
    with change as (
      insert into changes (id, domain_id, actor_id, actor_name, origin, token_id, token_name, token_suffix, operation_id,
        emergency_reason, source, status, lease_until, settled_at, settled_seq)
      values (${id}, ${domain_id}, ${author_id}, ${author_name}, 'schedule', ${token_id}, ${token_name}, ${token_suffix},
        ${row.operation_id}, ${row.emergency_reason}, ${source}, 'failed', now(), now(), nextval('change_order'))
    )
    insert into change_items (change_id, position, action, record_id, name, type, before, after, outcome, error)
    select ${id}::uuid, position, action, record_id, name, type, before, after, 'failed', ${error}
    from jsonb_to_recordset(${items}::jsonb) as item
      (position int, action text, record_id uuid, name text, type text, before jsonb, after jsonb)
  `.execute(trx)
}

const toItem = ({ action, recordId, before, after }: StoredStep, position: number) => ({
  position,
  action,
  record_id: recordId,
  name: (after ?? before)?.name,
  type: (after ?? before)?.type,
  before,
  after,
})

/** Changes whose outcome is known by now, marked as told; each once. `id`: only this one. */
export const settleTaken = (db: Executor, limit: number, id?: string) =>
  db
    .updateTable('scheduled_changes')
    .from('changes')
    .set({ settled: true })
    .where('scheduled_changes.id', 'in', (eb) =>
      eb
        .selectFrom('scheduled_changes as waiting')
        .innerJoin('changes as ended', 'ended.id', 'waiting.id')
        .select('waiting.id')
        .where('waiting.status', '=', 'taken')
        .where('waiting.settled', '=', false)
        .where('ended.status', '<>', 'pending')
        .$if(id !== undefined, (query) => query.where('waiting.id', '=', id as string))
        .limit(limit)
        .forUpdate('waiting')
        .skipLocked(),
    )
    .whereRef('changes.id', '=', 'scheduled_changes.id')
    .returning(SCHEDULED_CHANGES)
    .returning('changes.status as change_status')
    .execute()

/** The domain of a change, for events. */
export const findDomain = (db: Executor, id: string) =>
  db.selectFrom('domains').select(['id', 'name']).where('id', '=', id).executeTakeFirst()

/** Deletes those that ended that long ago. */
export const deleteLongEnded = (db: Executor, days: number) =>
  db
    .deleteFrom('scheduled_changes')
    .where('ended_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .where((eb) => eb.or([eb('status', '<>', 'taken'), eb('settled', '=', true)]))
    .execute()

/** The longest that a scheduled change may wait. */
export const SCHEDULED_DUE: readonly DueTime[] = [
  {
    table: 'scheduled_changes',
    column: 'due_at',
    longest: sql`greatest(extract(epoch from apply_at - now()), 0) + ${sql.lit(PAUSE_SECONDS + LEASE_SECONDS)}`,
  },
]
