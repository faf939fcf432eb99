import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { FRESH_INTERVALS, LIVING_SECONDS, RETRY_SECONDS, type FailoverTimes } from '../times.ts'
import { isMaintenance, type MonitorRow } from '../queries.ts'
import { FAILOVER_MONITORS } from '../../../db/tables/columns.ts'
import type { Approvable } from '../approval.ts'
import type { Votes } from './decision.ts'

/* What living instances found, counted by the clock of the database. */

const LIVING = sql`instances.seen_at > now() - make_interval(secs => ${sql.lit(LIVING_SECONDS)})`

const living = sql<number>`(select count(*) from instances where ${LIVING})::int`

/** Seconds after which a verdict no longer counts. */
const freshSeconds = ({ second }: FailoverTimes) =>
  sql`(failover_monitors.interval_seconds * ${sql.lit(FRESH_INTERVALS * second)}
    + (failover_monitors.probe ->> 'timeoutSeconds')::float8 + ${sql.lit(LIVING_SECONDS / 2)})`

/** Living instances with a fresh verdict in one of these states about an alternative. */
const votesFor = (times: FailoverTimes, alternative: number, states: readonly string[]) =>
  sql<number>`(
    select count(*) from failover_verdicts verdict join instances on instances.id = verdict.instance_id
    where verdict.monitor_id = failover_monitors.id and verdict.revision = failover_monitors.revision
      and verdict.alternative = ${alternative} and verdict.state = any(${states}::text[]) and ${LIVING}
      and verdict.checked_at > now() - make_interval(secs => ${freshSeconds(times)})
  )`

/** More than half of the living instances. */
const majorityFor = (times: FailoverTimes, alternative: number, states: readonly string[]) =>
  sql<boolean>`(${votesFor(times, alternative, states)} * 2 > ${living})`

export interface Tally extends MonitorRow, Approvable {
  domain_name: string
  living: number
  /** By alternative and state. */
  votes: Record<string, Record<keyof Votes, number>>
  is_maintenance: boolean
  is_held: boolean
  is_busy: boolean
}

/** A monitor with everything that a decision needs. */
export const findTally = (db: Executor, id: string, times: FailoverTimes): Promise<Tally | undefined> =>
  db
    .selectFrom('failover_monitors')
    .innerJoin('domains', 'domains.id', 'failover_monitors.domain_id')
    .leftJoin('users as authors', 'authors.id', 'failover_monitors.author_id')
    .select(FAILOVER_MONITORS)
    .select(['domains.name as domain_name', 'domains.owner_id', 'domains.review_policy'])
    .select('authors.role as author_role')
    .select([
      living.as('living'),
      isMaintenance.as('is_maintenance'),
      sql<boolean>`coalesce(switched_at > now() - make_interval(secs => hold_down_seconds * ${times.second}::float8), false)`.as(
        'is_held',
      ),
      sql<boolean>`(not settled or coalesce(retry_at > now(), false))`.as('is_busy'),
      sql<Tally['votes']>`coalesce((
        select jsonb_object_agg(alternative, states) from (
          select alternative, jsonb_object_agg(state, count) as states from (
            select verdict.alternative, verdict.state, count(*)::int from failover_verdicts verdict
            join instances on instances.id = verdict.instance_id
            where verdict.monitor_id = failover_monitors.id and verdict.revision = failover_monitors.revision
              and ${LIVING} and verdict.checked_at > now() - make_interval(secs => ${freshSeconds(times)})
            group by verdict.alternative, verdict.state
          ) counted group by alternative
        ) by_alternative
      ), '{}')`.as('votes'),
    ])
    .where('failover_monitors.id', '=', id)
    .executeTakeFirst()

export interface Switch {
  id: string
  revision: number
  turn: number
  from: number
  to: number
  by: 'failure' | 'recovery' | 'hand'
}

/**
 * Takes a switch for a change, in the transaction that opens the change. One statement, which locks the monitor: false if it
 * was removed or changed, has switched since it was decided, is paused or in maintenance, or if by now there is no majority
 * for leaving the one alternative or for going to the other. A switch by hand needs no majority.
 */
export async function takeSwitch(
  trx: Executor,
  { id, revision, turn, from, to, by }: Switch,
  changeId: string,
  times: FailoverTimes,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('failover_monitors')
    .set({
      active: to,
      previous: from,
      turn: turn + 1,
      change_id: changeId,
      settled: false,
      switched_at: sql<Date>`now()`,
      switched_by: by,
      ...(by === 'hand' && { paused: 'hand' as const, paused_at: sql<Date>`now()` }),
    })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('turn', '=', turn)
    .where('active', '=', from)
    .where('settled', '=', true)
    .$if(by !== 'hand', (query) =>
      query
        .where('paused', 'is', null)
        .where(isMaintenance, '=', false)
        .where(majorityFor(times, to, WORKS), '=', true),
    )
    .$if(by === 'failure', (query) => query.where(majorityFor(times, from, ['down']), '=', true))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const WORKS = ['up', 'answering']

/** Puts off the next attempt. */
export const putOffSwitch = (db: Executor, id: string, { second }: FailoverTimes) =>
  db
    .updateTable('failover_monitors')
    .set({ retry_at: sql<Date>`now() + make_interval(secs => ${RETRY_SECONDS * second})` })
    .where('id', '=', id)
    .execute()
