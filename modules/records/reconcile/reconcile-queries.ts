import { sql, type SqlBool } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf, inSeconds } from '../../../db/expressions.ts'
import type { ChangeSource } from '../../../db/tables/index.ts'
import type { DueTime } from '../../../plugins/work/due-times-queries.ts'
import { contentIn } from '../history/history-queries.ts'
import { AUTHOR_COLUMNS, type ChangeAuthor } from '../apply/journal/journal-actor.ts'

// Literals, because a parameter would not match the condition of the partial index.
const PENDING = sql<SqlBool>`status = 'pending'`
const OPEN = sql<SqlBool>`(status = 'pending' or look_again)`
const DUE = sql<SqlBool>`(${OPEN} and lease_until < now())`

/** The due time of changes to reconcile, with the longest wait. `pending`, `givenUp`: seconds. */
export const changesDue = ({ pending, givenUp }: { pending: number; givenUp: number }): DueTime => ({
  table: 'changes',
  column: 'lease_until',
  longest: sql`case when status = 'pending' then ${sql.lit(pending)} else ${sql.lit(givenUp)} end`,
  where: OPEN,
})

/** A change that is due for reconciliation at its provider. */
export interface DueChange extends ChangeAuthor {
  id: string
  domain_id: string
  source: ChangeSource
  /** Pending, or settled; then this is the last check. */
  status: 'pending' | 'partial' | 'failed'
  looks: number
  unknown_since: Date | null
}

/** Returns provider connections with changes that are due for reconciliation, longest due first. */
export async function findConnectionsToReconcile(
  db: Executor,
  { except, limit }: { except: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('changes')
    .innerJoin('domains', 'domains.id', 'domain_id')
    .select('provider_config_id as id')
    .where(DUE)
    .where(sql<boolean>`provider_config_id <> all(${except}::uuid[])`)
    .groupBy('provider_config_id')
    .orderBy((eb) => eb.fn.min('lease_until'))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Claims the change of that connection that has been due longest. */
export async function claimDueChange(
  db: Executor,
  providerConfigId: string,
  leaseSeconds: number,
): Promise<DueChange | undefined> {
  const row = await db
    .updateTable('changes')
    .set({ lease_until: inSeconds(leaseSeconds) })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('changes')
        .innerJoin('domains', 'domains.id', 'domain_id')
        .select('changes.id')
        .where(DUE)
        .where('provider_config_id', '=', providerConfigId)
        .orderBy('lease_until')
        .limit(1)
        .forUpdate('changes')
        .skipLocked(),
    )
    .returning(['id', 'domain_id', 'source', 'status', 'looks', 'unknown_since'])
    .returning(AUTHOR_COLUMNS)
    .executeTakeFirst()
  return row as DueChange | undefined
}

/** Postpones all due changes of that connection, and the one that `failed`. */
export const postponeChanges = (
  db: Executor,
  providerConfigId: string,
  { failed, seconds }: { failed: string; seconds: number },
) =>
  db
    .updateTable('changes')
    .from('domains')
    .set({ lease_until: inSeconds(seconds) })
    .whereRef('domains.id', '=', 'domain_id')
    .where('provider_config_id', '=', providerConfigId)
    .where((eb) => eb.or([DUE, eb('changes.id', '=', failed)]))
    .execute()

/** Makes changes of ended processes due at once. Changes with a lost answer keep their time. */
export async function endLeases(db: Executor): Promise<void> {
  await db
    .updateTable('changes')
    .set({ lease_until: sql<Date>`now()` })
    .where(PENDING)
    .where('unknown_since', 'is', null)
    .execute()
}

export const renewChanges = (db: Executor, ids: readonly string[], seconds: number) =>
  db
    .updateTable('changes')
    .set({ lease_until: inSeconds(seconds) })
    .where('id', '=', anyOf(ids))
    .where(PENDING)
    .execute()

/** Makes changes due at once, because this instance is stopping. */
export const releaseChanges = (db: Executor, ids: readonly string[]) =>
  db
    .updateTable('changes')
    .set({ lease_until: sql<Date>`now()` })
    .where('id', '=', anyOf(ids))
    .where(OPEN)
    .execute()

export const pendingItems = (db: Executor, changeId: string) =>
  db
    .selectFrom('change_items')
    .leftJoin('records', 'records.id', 'change_items.record_id')
    .select(['position', 'action', 'record_id', 'records.provider_record_id'])
    .select([contentIn('before').as('before'), contentIn('after').as('after')])
    .where('change_id', '=', changeId)
    .where('outcome', '=', 'pending')
    .orderBy('position')
    .execute()

/** Counts an attempt that did not find the whole change; the provider is asked again after `seconds`. */
export const noteAttempt = (db: Executor, changeId: string, seconds: number) =>
  db
    .updateTable('changes')
    .set((eb) => ({ looks: eb('looks', '+', 1), lease_until: inSeconds(seconds) }))
    .where('id', '=', changeId)
    .where(PENDING)
    .execute()

/** Contents of the failed items of a change. */
export const failedItems = (db: Executor, changeId: string) =>
  db
    .selectFrom('change_items')
    .select([contentIn('before').as('before'), contentIn('after').as('after')])
    .where('change_id', '=', changeId)
    .where('outcome', '=', 'failed')
    .execute()

/** Ends the last check; false if another instance did. */
export async function endRecheck(db: Executor, changeId: string): Promise<boolean> {
  const row = await db
    .updateTable('changes')
    .set({ look_again: false })
    .where('id', '=', changeId)
    .where('look_again', '=', true)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
