import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely'
import { CONFIRMATIONS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf, inSeconds } from '../../../db/expressions.ts'
import type { ConfirmationsTable, RecordContent } from '../../../db/tables/index.ts'
import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'
import { contentIn, CURRENT } from '../history/history-queries.ts'
import type { DueTime } from '../../../plugins/work/due-times-queries.ts'
import { GIVEN_UP_SECONDS, LONGEST_PAUSE_SECONDS } from './times.ts'

export type ConfirmationRow = Selectable<ConfirmationsTable>

/** Stores that a change must be confirmed, in the transaction that opens it. */
export const openConfirmation = (
  trx: Executor,
  { changeId, domainId, minutes }: { changeId: string; domainId: string; minutes: number },
) => trx.insertInto('confirmations').values({ change_id: changeId, domain_id: domainId, minutes }).execute()

const minutesAfter = (moment: RawBuilder<unknown>, share: number) =>
  sql<Date>`(${moment} + make_interval(secs => confirmations.minutes * ${sql.lit(60 * share)}))`

/**
 * Lets the time of changes run that were applied, from when they were. What came to nothing needs no confirmation, unless
 * it may still turn out to be applied. `changeId`: only this one.
 */
export async function startClocks(db: Executor, changeId?: string): Promise<void> {
  const settledAt = sql`changes.settled_at`
  await db
    .with('ended', (within) =>
      within
        .deleteFrom('confirmations')
        .using('changes')
        .whereRef('changes.id', '=', 'confirmations.change_id')
        .where('confirmations.status', '=', 'waiting')
        .where('changes.status', '=', 'failed')
        .where('changes.look_again', '=', false)
        .$if(changeId !== undefined, (query) => query.where('change_id', '=', changeId as string)),
    )
    .updateTable('confirmations')
    .from('changes')
    .set({
      status: 'unconfirmed',
      confirm_by: minutesAfter(settledAt, 1),
      due_at: minutesAfter(settledAt, 0.5),
    })
    .whereRef('changes.id', '=', 'confirmations.change_id')
    .where('confirmations.status', '=', 'waiting')
    .where('changes.status', 'in', ['applied', 'partial'])
    .$if(changeId !== undefined, (query) => query.where('change_id', '=', changeId as string))
    .execute()
}

export const findConfirmation = (db: Executor, changeId: string): Promise<ConfirmationRow | undefined> =>
  db.selectFrom('confirmations').select(CONFIRMATIONS).where('change_id', '=', changeId).executeTakeFirst()

/** The confirmations of an operation's changes, in all of its domains. */
export const confirmationsOf = (db: Executor, operationId: string) =>
  db
    .selectFrom('confirmations')
    .innerJoin('changes', 'changes.id', 'confirmations.change_id')
    .select(['confirmations.change_id', 'confirmations.domain_id', 'confirmations.status'])
    .where('changes.operation_id', '=', operationId)
    .orderBy('confirmations.change_id')
    .execute()

/** The unconfirmed change of a domain that a plan reverts as a part of an operation; undefined without one. */
export const findToRevert = (db: Executor, planId: string, domainId: string) =>
  db
    .selectFrom('domains_plans')
    .innerJoin('changes', 'changes.operation_id', 'domains_plans.undoes_operation_id')
    .innerJoin('confirmations', 'confirmations.change_id', 'changes.id')
    .select('confirmations.change_id')
    .where('domains_plans.id', '=', planId)
    .where('changes.domain_id', '=', domainId)
    .where('confirmations.status', '=', 'unconfirmed')
    .executeTakeFirst()

/** Confirms a change that isn't being reverted yet; false if it is, or was decided already. */
export async function markConfirmed(
  trx: Executor,
  changeId: string,
  by: { userId: string; username: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('confirmations')
    .set({
      status: 'confirmed',
      due_at: null,
      decided_by: by.userId,
      decided_by_name: by.username,
      ended_at: sql<Date>`now()`,
    })
    .where('change_id', '=', changeId)
    .where('status', '=', 'unconfirmed')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A change with something to be done; `is_over`: its time, by the clock of the database. */
export type DueRow = ConfirmationRow & { is_over: boolean }

/** Claims unconfirmed changes that are due for LEASE_SECONDS. */
export const claimDue = (db: Executor, limit: number): Promise<DueRow[]> =>
  db
    .updateTable('confirmations')
    .set({ due_at: inSeconds(LEASE_SECONDS) })
    .where('change_id', 'in', (eb) =>
      eb
        .selectFrom('confirmations')
        .select('change_id')
        .where('due_at', '<=', sql<Date>`now()`)
        .where('status', '=', 'unconfirmed')
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(CONFIRMATIONS)
    .returning(sql<boolean>`(confirm_by <= now())`.as('is_over'))
    .execute()

export const renewConfirmations = (db: Executor, changeIds: readonly string[]) =>
  db
    .updateTable('confirmations')
    .set({ due_at: inSeconds(LEASE_SECONDS) })
    .where('change_id', '=', anyOf(changeIds))
    .where('status', '=', 'unconfirmed')
    .execute()

/** Notes that the warning was announced; false if it was before, or the change no longer waits. */
export async function markWarned(trx: Executor, changeId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('confirmations')
    .set((eb) => ({ warned: true, due_at: eb.ref('confirm_by') }))
    .where('change_id', '=', changeId)
    .where('status', '=', 'unconfirmed')
    .where('warned', '=', false)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const REVERTING = { status: 'reverting', due_at: null } as const

/** In the transaction that opens the revert at the end of the time. False if somebody was faster. */
export async function takeUnconfirmed(trx: Executor, changeId: string, revertId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('confirmations')
    .set((eb) => ({ ...REVERTING, revert_change_id: revertId, tries: eb('tries', '+', 1) }))
    .where('change_id', '=', changeId)
    .where('status', '=', 'unconfirmed')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** In the transaction that opens a revert by a user: the outcome of that decides whether the time continues. */
export const noteRevert = (trx: Executor, { changeId, revertId }: { changeId: string; revertId: string }) =>
  trx
    .updateTable('confirmations')
    .set({ ...REVERTING, revert_change_id: revertId })
    .where('change_id', '=', changeId)
    .where('status', '=', 'unconfirmed')
    .execute()

/** Lets the revert be tried again; false if it was tried for too long, or the change no longer waits for it. */
export async function putOff(
  db: Executor,
  { change_id, status }: Pick<ConfirmationRow, 'change_id' | 'status'>,
  seconds: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('confirmations')
    .set((eb) => ({
      status: 'unconfirmed',
      due_at: sql<Date>`greatest(${inSeconds(seconds)},
        confirm_by - make_interval(secs => case when warned then 0 else minutes * 30 end))`,
      ...(status === 'unconfirmed' && { tries: eb('tries', '+', 1) }),
    }))
    .where('change_id', '=', change_id)
    .where('status', '=', status)
    .where(sql<SqlBool>`confirm_by + make_interval(secs => ${GIVEN_UP_SECONDS}) > now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends the wait; false if it has ended, or a user reverts the change. */
export async function markEnded(
  trx: Executor,
  { change_id, status }: Pick<ConfirmationRow, 'change_id' | 'status'>,
  end: 'reverted' | 'not_reverted',
  leftAlone: readonly { name: string; type: string; value: string }[],
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('confirmations')
    .set({
      status: end,
      due_at: null,
      left_alone: JSON.stringify(leftAlone),
      ended_at: sql<Date>`now()`,
    })
    .where('change_id', '=', change_id)
    .where('status', '=', status)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Changes whose revert has an outcome; `reverted_by`: null if the service reverted it. `changeId`: only this one. */
export const findSettledReverts = (db: Executor, limit: number, changeId?: string) =>
  db
    .selectFrom('confirmations')
    .innerJoin('changes', 'changes.id', 'confirmations.revert_change_id')
    .select(CONFIRMATIONS)
    .select(['changes.actor_id as reverted_by', 'changes.status as revert_status'])
    .where('confirmations.status', '=', 'reverting')
    .where('changes.status', '<>', 'pending')
    .$if(changeId !== undefined, (query) => query.where('change_id', '=', changeId as string))
    .limit(limit)
    .execute()

/** An applied item of a change, with what became of its record. */
export interface ItemSince {
  record_id: string
  before: RecordContent | null
  after: RecordContent | null
  current: RecordContent | null
  version: number | null
}

/** The applied items of a change. */
export async function itemsSince(db: Executor, changeId: string): Promise<ItemSince[]> {
  return db
    .selectFrom('change_items')
    .leftJoin('records', 'records.id', 'change_items.record_id')
    .select(['record_id', contentIn('before').as('before'), contentIn('after').as('after')])
    .select([CURRENT.as('current'), 'records.version'])
    .where('change_id', '=', changeId)
    .where('outcome', '=', 'applied')
    .orderBy('position')
    .execute()
}

/** What the end of the wait needs to know of a change. */
export const findChangeToRevert = (db: Executor, changeId: string) =>
  db
    .selectFrom('changes')
    .innerJoin('domains', 'domains.id', 'changes.domain_id')
    .select(['changes.id', 'changes.domain_id', 'changes.seq', 'changes.actor_name', 'domains.name'])
    .where('changes.id', '=', changeId)
    .executeTakeFirst()

/** Deletes those that ended that long ago. */
export const deleteLongEnded = (db: Executor, days: number) =>
  db
    .deleteFrom('confirmations')
    .where('ended_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute()

const isWaiting = sql`status = 'unconfirmed'`

/** The longest that an unconfirmed change may wait. */
export const CONFIRMATIONS_DUE: readonly DueTime[] = [
  { table: 'confirmations', column: 'confirm_by', longest: sql`minutes * 60`, where: isWaiting },
  {
    table: 'confirmations',
    column: 'due_at',
    longest: sql`greatest(minutes * 60, ${sql.lit(LONGEST_PAUSE_SECONDS)})`,
    where: isWaiting,
  },
]
