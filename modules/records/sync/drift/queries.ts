import { sql } from 'kysely'
import type { Executor } from '../../../../db/connection/connect.ts'
import type { FoundDrift } from '../../../../db/tables/index.ts'
import type { RecordContent } from '../../plan/change.ts'

/** The policy of a domain, and what is known of changes made at its provider. */
export const driftOf = (db: Executor, domainId: string) =>
  db
    .selectFrom('domains')
    .select(['drift_policy', 'last_synced_at', 'drift'])
    .where('id', '=', domainId)
    .executeTakeFirst()

/** Stores that the provider holds other records than those here. */
export const storeDrift = (db: Executor, domainId: string, drift: FoundDrift) =>
  db
    .updateTable('domains')
    .set({
      drift,
      drift_found_at: sql<Date>`coalesce(drift_found_at, now())`,
    })
    .where('id', '=', domainId)
    .execute()

/** Stores that the provider holds what is here. */
export const clearDrift = (db: Executor, domainId: string) =>
  db
    .updateTable('domains')
    .set({ drift: null, drift_found_at: null })
    .where('id', '=', domainId)
    .where('drift_found_at', 'is not', null)
    .execute()

/**
 * Takes the turn to put back changes made at the provider: once an hour, while that is the policy of the domain. Returns
 * whether it was free. The caller holds the domain's row.
 */
export async function takeTurn(db: Executor, domainId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('domains')
    .set({ enforced_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', domainId)
    .where('drift_policy', '=', 'enforce')
    .where(
      sql<boolean>`coalesce(enforced_at <= clock_timestamp() - make_interval(secs => ${TURN_SECONDS}), true)`,
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0
}

const TURN_SECONDS = 3_600

/** Times that the same change of the provider's records is put back, and the days in which they count. */
const TIMES = 3
const DAYS = 30

/** What the provider held, of which record; null: a record that is not here. */
export interface PutBack {
  recordId: string | null
  held: RecordContent | null
}

/** Returns what was put back at these names so many times that it is not again. */
export function putBackOften(db: Executor, domainId: string, names: readonly string[]): Promise<PutBack[]> {
  const recordId = sql<string | null>`case when action <> 'delete' then record_id end`
  return db
    .selectFrom('changes')
    .innerJoin('change_items', 'change_items.change_id', 'changes.id')
    .select([recordId.as('recordId'), sql<RecordContent | null>`before`.as('held')])
    .where('domain_id', '=', domainId)
    .where('source', '=', 'enforce')
    .where('changes.created_at', '>', sql<Date>`now() - make_interval(days => ${DAYS})`)
    .where('outcome', '=', 'applied')
    .where('change_items.name', 'in', names)
    .groupBy([recordId, 'before'])
    .having(sql<boolean>`count(*) >= ${TIMES}`)
    .execute()
}
