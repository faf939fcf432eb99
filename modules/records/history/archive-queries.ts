import { sql, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf } from '../../../db/expressions.ts'
import type { Database } from '../../../db/tables/index.ts'
import type { RecordScope } from '../../domains/access/access.ts'
import { ITEM, withItemCount, type ChangeRow, type ItemRow } from './history-queries.ts'

export type ArchivedRow = ChangeRow & { domain_name: string }

export const ALL_RECORDS: RecordScope = {
  seen: null,
  changeable: null,
  token: { namePatterns: null, recordTypes: null },
}

/** How far the clocks of instances, from which ids come, may be ahead of that of the database, in milliseconds. */
const CLOCKS_MS = 86_400_000

/** Changes that nothing waits for or uses. Operations and confirmations are forgotten later. */
const isDone = (eb: ExpressionBuilder<Database, 'changes'>) =>
  eb.and([
    eb('changes.status', '<>', 'pending'),
    eb('changes.look_again', '=', false),
    eb.not(
      eb.exists(
        eb
          .selectFrom('confirmations')
          .select('change_id')
          .whereRef('confirmations.change_id', '=', 'changes.id')
          .where('confirmations.status', 'in', ['waiting', 'unconfirmed', 'reverting']),
      ),
    ),
    eb.not(
      eb.exists(
        eb.selectFrom('operations').select('id').whereRef('operations.id', '=', 'changes.operation_id'),
      ),
    ),
    eb.not(
      eb.exists(
        eb
          .selectFrom('mirror_changes')
          .select('change_id')
          .whereRef('mirror_changes.change_id', '=', 'changes.id'),
      ),
    ),
  ])

/**
 * Found by id, which begins with the time when a change was planned (UUIDv7, RFC 9562, 5.7): an index by the time of
 * its outcome would make every change dearer.
 */
const plannedBefore = (moment: Date) => {
  const time = (moment.getTime() + CLOCKS_MS).toString(16).padStart(12, '0')
  const id = `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
  return sql<SqlBool>`changes.id < ${id}::uuid`
}

/** When a change got its outcome that is done and got it before that, of the change that was planned first; null: none. */
export async function oldestSettled(db: Executor, before: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('changes')
    .select('settled_at')
    .where(plannedBefore(before))
    .where('settled_at', '<', before)
    .where(isDone)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.settled_at ?? null
}

/** Changes that are done and got their outcome in that period, in the order of their ids. */
export const changesOfMonth = (
  db: Executor,
  { from, to }: { from: Date; to: Date },
  after: string | null,
  limit: number,
): Promise<ArchivedRow[]> =>
  withItemCount(db, ALL_RECORDS)
    .select((eb) =>
      eb
        .selectFrom('domains')
        .select('name')
        .whereRef('domains.id', '=', 'changes.domain_id')
        .as('domain_name'),
    )
    .where(plannedBefore(to))
    .where('settled_at', '>=', from)
    .where('settled_at', '<', to)
    .where(isDone)
    .$if(after !== null, (query) => query.where('changes.id', '>', after as string))
    .orderBy('changes.id')
    .limit(limit)
    .$castTo<ArchivedRow>()
    .execute()

/** The items of a change after a position. */
export async function itemsAfter(
  db: Executor,
  changeId: string,
  position: number,
  limit: number,
): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select ${ITEM} from change_items
    where change_id = ${changeId} and position > ${position} order by position limit ${limit}
  `.execute(db)
  return rows
}

/** Deletes those that are done, with their items; returns how many. */
export async function deleteChanges(db: Executor, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('changes')
    .where('id', '=', anyOf(ids))
    .where(isDone)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
