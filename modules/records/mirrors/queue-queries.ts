import { sql } from 'kysely'
import { MIRRORS, RECORDS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { isLeased, isLeasedBy, takingLeases } from '../../../plugins/work/leases-queries.ts'
import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'
import { contentIn } from '../history/history-queries.ts'
import type { RecordRow } from '../list/mapper.ts'
import type { RecordContent } from '../plan/change.ts'

/* The queues of mirrors. Changes join them in the statement that closes the change (`closeChange`), or here. */

/** Queues a change that was stored as applied for all mirrors of its domain. */
export const queueChange = (trx: Executor, domainId: string, changeId: string) =>
  trx
    .insertInto('mirror_changes')
    .columns(['mirror_id', 'change_id'])
    .expression((eb) =>
      eb
        .selectFrom('mirrors')
        .select(['mirrors.id', sql<string>`${changeId}::uuid`.as('change_id')])
        .where('domain_id', '=', domainId),
    )
    .execute()

/** Queues items that were applied late, after their change was queued or without it. */
export const queueItems = (
  trx: Executor,
  domainId: string,
  items: readonly { change_id: string; position: number }[],
) =>
  sql`
    insert into mirror_changes (mirror_id, change_id, positions)
    select mirrors.id, late.change_id, late.positions
    from mirrors, (
      select change_id, array_agg(position order by position) as positions
      from unnest(${items.map(({ change_id }) => change_id)}::uuid[],
        ${items.map(({ position }) => position)}::int[]) as late (change_id, position)
      group by change_id
    ) as late
    where mirrors.domain_id = ${domainId}
  `.execute(trx)

/** Queues the whole zone. `deletes`: most other records there that may be deleted; 0 keeps them. */
export const queueZone = (trx: Executor, mirrorId: string, deletes: number) =>
  trx
    .insertInto('mirror_changes')
    .values({ mirror_id: mirrorId, deletes, change_id: null, positions: null })
    .execute()

/** Takes the leases of mirrors with changes that are due, longest due first. Returns their ids. */
export async function claimDueMirrors(db: Executor, limit: number, holder: string): Promise<string[]> {
  const due = db
    .selectFrom('mirrors')
    .select('id')
    .where('due_at', '<=', sql<Date>`now()`)
    .where(sql<boolean>`id in (select mirror_id from mirror_changes)`)
    .where((eb) => eb.not(isLeased('mirror', sql`mirrors.id`)))
    .orderBy('due_at')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
  const rows = await db
    .with('taken', () => takingLeases(db, { kind: 'mirror', holder, seconds: LEASE_SECONDS }, due))
    .selectFrom('taken')
    .select('subject')
    .execute()
  return rows.map(({ subject }) => subject)
}

/** Whether this instance still has the lease of the mirror. */
export async function holdsMirror(db: Executor, id: string, holder: string): Promise<boolean> {
  const row = await db
    .selectFrom('mirrors')
    .select(isLeasedBy('mirror', sql`mirrors.id`, holder).as('held'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.held === true
}

export type QueuedChange = NonNullable<Awaited<ReturnType<typeof nextChange>>>

/** The next change of a mirror that may be tried now. */
export const nextChange = (db: Executor, mirrorId: string) =>
  db
    .selectFrom('mirror_changes')
    .innerJoin('mirrors', 'mirrors.id', 'mirror_changes.mirror_id')
    .select(['seq', 'change_id', 'positions', 'deletes'])
    .select(MIRRORS)
    .where('mirror_id', '=', mirrorId)
    .where('mirrors.due_at', '<=', sql<Date>`now()`)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()

/** What the applied items of a change did, in order; empty if the change no longer exists. */
export async function itemsToMirror(
  db: Executor,
  changeId: string,
  positions: readonly number[] | null,
): Promise<{ before: RecordContent | null; after: RecordContent | null }[]> {
  const rows = await db
    .selectFrom('change_items')
    .select([contentIn('before').as('before'), contentIn('after').as('after')])
    .where('change_id', '=', changeId)
    .where('outcome', '=', 'applied')
    .$if(positions !== null, (query) => query.where(sql<boolean>`position = any(${positions}::int[])`))
    .orderBy('position')
    .execute()
  return rows
}

/** Removes a change that the mirror has got. */
export const endChange = (trx: Executor, mirrorId: string, seq: string) =>
  trx.deleteFrom('mirror_changes').where('mirror_id', '=', mirrorId).where('seq', '=', seq).execute()

/** Removes all changes up to that one; null: none. */
export async function endChangesUpTo(trx: Executor, mirrorId: string, seq: string | null): Promise<void> {
  if (seq === null) return
  await trx.deleteFrom('mirror_changes').where('mirror_id', '=', mirrorId).where('seq', '<=', seq).execute()
}

export const endAllChanges = (trx: Executor, mirrorId: string) =>
  trx.deleteFrom('mirror_changes').where('mirror_id', '=', mirrorId).execute()

/** The last change in the queue of a mirror; null: it has got all. */
export async function lastQueued(db: Executor, mirrorId: string): Promise<string | null> {
  const row = await db
    .selectFrom('mirror_changes')
    .select('seq')
    .where('mirror_id', '=', mirrorId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? null
}

/** The records of a domain that its provider is known to hold: without those about to be created, with those about to go. */
export const settledRecords = (db: Executor, domainId: string): Promise<RecordRow[]> =>
  db
    .selectFrom('records')
    .select(RECORDS)
    .where('domain_id', '=', domainId)
    .where(
      sql<boolean>`not exists (
        select from name_locks join change_items as item on item.change_id = name_locks.change_id
        where name_locks.domain_id = ${domainId} and name_locks.name = records.name
          and item.action = 'create' and item.record_id = records.id)`,
    )
    .orderBy('name')
    .orderBy('type')
    .orderBy('id')
    .execute()
