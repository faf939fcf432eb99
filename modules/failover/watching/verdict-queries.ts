import { sql } from 'kysely'
import { FAILOVER_MONITORS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf, secondsAgo } from '../../../db/expressions.ts'
import type { StoredCheck } from '../../../db/tables/index.ts'
import type { MonitorRow } from '../queries.ts'
import type { VerdictState } from './streaks.ts'

/** Says that this instance is alive. */
export const noteInstance = (db: Executor, id: string) =>
  db
    .insertInto('instances')
    .values({ id })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: sql<Date>`now()` }))
    .execute()

/** This instance no longer checks anything. */
export const forgetInstance = (db: Executor, id: string) =>
  db.deleteFrom('instances').where('id', '=', id).execute()

export const forgetDeadInstances = (db: Executor, seconds: number) =>
  db.deleteFrom('instances').where('seen_at', '<', secondsAgo(seconds)).execute()

/** These monitors, or all, with the revisions of what they check. */
export const listRevisions = (
  db: Executor,
  ids: readonly string[] | null,
): Promise<{ id: string; revision: number }[]> =>
  db
    .selectFrom('failover_monitors')
    .select(['id', 'revision'])
    .$if(ids !== null, (query) => query.where('id', '=', anyOf(ids ?? [])))
    .execute()

export const monitorsOfIds = (db: Executor, ids: readonly string[]): Promise<MonitorRow[]> =>
  db.selectFrom('failover_monitors').select(FAILOVER_MONITORS).where('id', '=', anyOf(ids)).execute()

export interface Verdict {
  state: VerdictState
  latencyMs: number | null
  reason: string | null
  detail: string | null
  history: StoredCheck[]
  certificateExpires: Date | null
}

/** Stores what this instance found about all alternatives; nothing if the monitor was removed or changed meanwhile. */
export async function storeVerdicts(
  db: Executor,
  instanceId: string,
  { id, revision }: Pick<MonitorRow, 'id' | 'revision'>,
  verdicts: readonly Verdict[],
): Promise<boolean> {
  const rows = verdicts.map((verdict, alternative) => ({
    alternative,
    state: verdict.state,
    latency_ms: verdict.latencyMs,
    reason: verdict.reason,
    detail: verdict.detail,
    history: verdict.history,
    certificate_expires: verdict.certificateExpires,
  }))
  const { numAffectedRows } = await sql`
    insert into failover_verdicts
      (monitor_id, instance_id, alternative, revision, state, latency_ms, reason, detail, history, certificate_expires)
    select monitor.id, ${instanceId}::uuid, given.alternative, monitor.revision, given.state, given.latency_ms,
      given.reason, given.detail, given.history, given.certificate_expires
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given
      (alternative int, state text, latency_ms int, reason text, detail text, history jsonb, certificate_expires timestamptz)
    join failover_monitors monitor on monitor.id = ${id} and monitor.revision = ${revision}
    where exists (select from instances where instances.id = ${instanceId}::uuid)
    on conflict (monitor_id, instance_id, alternative) do update set
      revision = excluded.revision, state = excluded.state, latency_ms = excluded.latency_ms, reason = excluded.reason,
      detail = excluded.detail, history = excluded.history, certificate_expires = excluded.certificate_expires,
      checked_at = now()
  `.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
