import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { MIRRORS, PROVIDER_CONFIGS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { secondsAgo } from '../../../db/expressions.ts'
import type { MirrorsTable } from '../../../db/tables/index.ts'
import type { ProviderConfigRow } from '../../providers/configs/service.ts'

export type MirrorRow = Selectable<MirrorsTable>

/** A mirror with what its state follows from. */
export interface QueuedMirror extends MirrorRow {
  /** Changes that it has not got yet. */
  behind: number
  behind_since: Date | null
}

const queued = (db: Executor) =>
  db
    .selectFrom('mirrors')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('mirror_changes')
          .select(sql<number>`count(*)::int`.as('behind'))
          .select((of) => of.fn.min('queued_at').as('behind_since'))
          .whereRef('mirror_id', '=', 'mirrors.id')
          .as('queue'),
      (join) => join.onTrue(),
    )
    .select(MIRRORS)
    .select([sql<number>`coalesce(queue.behind, 0)`.as('behind'), 'queue.behind_since'])

export const mirrorsOf = (db: Executor, domainId: string): Promise<QueuedMirror[]> =>
  queued(db).where('domain_id', '=', domainId).orderBy('id').execute()

export const findMirror = (db: Executor, domainId: string, id: string): Promise<QueuedMirror | undefined> =>
  queued(db).where('domain_id', '=', domainId).where('mirrors.id', '=', id).executeTakeFirst()

/** For background work; undefined if it was removed. */
export const findMirrorById = (db: Executor, id: string): Promise<QueuedMirror | undefined> =>
  queued(db).where('mirrors.id', '=', id).executeTakeFirst()

/** Locks the mirror's row until the end of the transaction. */
export const lockMirror = (trx: Executor, id: string) =>
  trx.selectFrom('mirrors').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

export const countMirrors = async (db: Executor, domainId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('mirrors')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('domain_id', '=', domainId)
    .executeTakeFirstOrThrow()
  return count
}

export const insertMirror = (trx: Executor, row: Insertable<MirrorsTable>) =>
  trx.insertInto('mirrors').values(row).execute()

export const updateMirror = (trx: Executor, id: string, set: Updateable<MirrorsTable>) =>
  trx.updateTable('mirrors').set(set).where('id', '=', id).execute()

/** Stores that the mirror was written, or compared, without failure. */
export const noteSuccess = (
  trx: Executor,
  id: string,
  set: Updateable<MirrorsTable>,
  { applied = false, compared = false }: { applied?: boolean; compared?: boolean },
) =>
  trx
    .updateTable('mirrors')
    .set({
      ...set,
      ...(applied && {
        error: null,
        error_code: null,
        failed: false,
        tries: 0,
        applied_at: sql<Date>`now()`,
        due_at: sql<Date>`now()`,
      }),
      ...(compared && { compared_at: sql<Date>`now()` }),
    })
    .where('id', '=', id)
    .execute()

/** Counts a failed attempt, and postpones the next. */
export const noteFailure = (
  trx: Executor,
  id: string,
  { error, code, failed, seconds }: { error: string; code: string; failed: boolean; seconds: number },
) =>
  trx
    .updateTable('mirrors')
    .set((eb) => ({
      error,
      error_code: code,
      failed,
      tries: eb('tries', '+', 1),
      due_at: sql<Date>`now() + make_interval(secs => ${seconds})`,
    }))
    .where('id', '=', id)
    .execute()

export const deleteMirror = (trx: Executor, id: string) =>
  trx.deleteFrom('mirrors').where('id', '=', id).execute()

/** The connections of mirrors, by id. */
export async function connectionsOf(
  db: Executor,
  mirrors: readonly Pick<MirrorRow, 'provider_config_id'>[],
): Promise<Map<string, ProviderConfigRow>> {
  const ids = [...new Set(mirrors.map(({ provider_config_id }) => provider_config_id))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('provider_configs')
    .select(PROVIDER_CONFIGS)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The name servers at the apex of the domain, as stored here. */
export async function storedNameServers(db: Executor, domainId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('records')
    .select('value')
    .where('domain_id', '=', domainId)
    .where('name', '=', '@')
    .where('type', '=', 'NS')
    .where('enabled', '=', true)
    .orderBy('value')
    .execute()
  return rows.map(({ value }) => value)
}

/** Mirrors whose oldest change has waited that long, of which nothing was announced. */
export async function findLongBehind(db: Executor, seconds: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mirror_changes')
    .innerJoin('mirrors', 'mirrors.id', 'mirror_changes.mirror_id')
    .select('mirrors.id')
    .distinct()
    .where('mirrors.announced', 'is', null)
    .where('queued_at', '<', secondsAgo(seconds))
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Mirrors that have got every change and were not compared for that long, in any order: one that can't be read holds up no others. */
export async function findUncompared(db: Executor, seconds: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mirrors')
    .select('id')
    .where(sql<Date>`coalesce(compared_at, created_at)`, '<', secondsAgo(seconds))
    .where('due_at', '<=', sql<Date>`now()`)
    .where(sql<boolean>`not exists (select from mirror_changes where mirror_id = mirrors.id)`)
    .orderBy(sql`random()`)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
