import { sql, type SqlBool } from 'kysely'
import { FAILOVER_MONITORS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { allOf } from '../../../db/expressions.ts'
import type { MonitorRow, ServedRow } from '../queries.ts'

/* The states of a monitor other than its switches. Each statement applies only to the state that was decided on. */

type Known = Pick<MonitorRow, 'id' | 'revision' | 'turn'>

/** Ends automatic switching; false if it was paused, has switched or was changed meanwhile. */
export async function pauseMonitor(
  db: Executor,
  { id, revision, turn }: Known,
  reason: NonNullable<MonitorRow['paused']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('failover_monitors')
    .set({ paused: reason, paused_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('turn', '=', turn)
    .where('settled', '=', true)
    .where('paused', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Pauses by hand, also what is paused already. */
export const holdMonitor = (db: Executor, id: string) =>
  db
    .updateTable('failover_monitors')
    .set({ paused: 'hand', paused_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()

/** Switches automatically again, from the alternative that is served. */
export const resumeMonitor = (db: Executor, id: string, active: number) =>
  db
    .updateTable('failover_monitors')
    .set({ paused: null, paused_at: null, retry_at: null, problem: null, active })
    .where('id', '=', id)
    .where('settled', '=', true)
    .execute()

/** Stores why it can't switch; false if that is known already. Null: nothing is wrong now. */
export async function noteProblem(db: Executor, id: string, problem: string | null): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('failover_monitors')
    .set({ problem })
    .where('id', '=', id)
    .where(sql<SqlBool>`problem is distinct from ${problem}`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const approveMonitor = (db: Executor, id: string, by: { userId: string; username: string }) =>
  db
    .updateTable('failover_monitors')
    .set((eb) => ({
      approved_revision: eb.ref('revision'),
      approver_id: by.userId,
      approver_name: by.username,
      updated_at: sql<Date>`now()`,
    }))
    .where('id', '=', id)
    .execute()

/** Whether the RRset has records that neither are as known (`id version`) nor belong to the change. */
export async function hasOtherRecords(
  trx: Executor,
  { domain_id: domainId, name, type }: Pick<MonitorRow, 'domain_id' | 'name' | 'type'>,
  known: readonly string[],
  changeId: string,
): Promise<boolean> {
  const other = await trx
    .selectFrom('records')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('name', '=', name)
    .where('type', '=', type)
    .where(sql<string>`id::text || ' ' || version`, '<>', allOf(known))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('change_items')
            .select('record_id')
            .where('change_id', '=', changeId)
            .whereRef('change_items.record_id', '=', 'records.id'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/**
 * Monitors whose last change has ended since, marked as settled; each once. A change that was not applied takes the switch
 * back; one that was applied in part leaves it to people.
 */
export const settleSwitches = (db: Executor, limit: number, retrySeconds: number, id?: string) =>
  db
    .updateTable('failover_monitors')
    .from('changes')
    .set({
      settled: true,
      active: sql<number>`case when changes.status = 'failed' then failover_monitors.previous else failover_monitors.active end`,
      switched_at: sql<Date>`case when changes.status = 'failed' then null else failover_monitors.switched_at end`,
      retry_at: sql<Date>`case when changes.status = 'failed' then now() + make_interval(secs => ${retrySeconds}) end`,
      paused: sql<
        MonitorRow['paused']
      >`case when changes.status = 'partial' then 'partial' else failover_monitors.paused end`,
      paused_at: sql<Date>`case when changes.status = 'partial' then now() else failover_monitors.paused_at end`,
      problem: sql<
        string | null
      >`case changes.status when 'partial' then 'partial' when 'failed' then failover_monitors.problem end`,
    })
    .where('failover_monitors.id', 'in', (eb) =>
      eb
        .selectFrom('failover_monitors as waiting')
        .innerJoin('changes as ended', 'ended.id', 'waiting.change_id')
        .select('waiting.id')
        .where('waiting.settled', '=', false)
        .where('ended.status', '<>', 'pending')
        .$if(id !== undefined, (query) => query.where('waiting.id', '=', id as string))
        .limit(limit)
        .forUpdate('waiting')
        .skipLocked(),
    )
    .whereRef('changes.id', '=', 'failover_monitors.change_id')
    .returning(FAILOVER_MONITORS)
    .returning(['changes.status as change_status', 'changes.actor_id', 'changes.actor_name'])
    .execute()

export const findDomainName = (db: Executor, id: string) =>
  db.selectFrom('domains').select('name').where('id', '=', id).executeTakeFirst()

/** What failed last at an alternative, on any instance; for people. */
export async function findDetail(db: Executor, id: string, alternative: number): Promise<string | null> {
  const row = await db
    .selectFrom('failover_verdicts')
    .select('detail')
    .where('monitor_id', '=', id)
    .where('alternative', '=', alternative)
    .where('detail', 'is not', null)
    .orderBy('checked_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.detail ?? null
}

/** Monitors that switch by themselves. */
export const listWatching = (db: Executor, after: string | null, limit: number): Promise<MonitorRow[]> =>
  db
    .selectFrom('failover_monitors')
    .select(FAILOVER_MONITORS)
    .where('paused', 'is', null)
    .where('settled', '=', true)
    .$if(after !== null, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()

/** The stored records of an RRset. */
export const findServed = (
  db: Executor,
  { domain_id: domainId, name, type }: Pick<MonitorRow, 'domain_id' | 'name' | 'type'>,
): Promise<ServedRow[]> =>
  db
    .selectFrom('records')
    .select(['id', 'version', 'value', 'ttl', 'enabled', 'proxied', 'routing', 'status', 'deleting'])
    .where('domain_id', '=', domainId)
    .where('name', '=', name)
    .where('type', '=', type)
    .execute()
