import { sql, type Selectable, type SqlBool } from 'kysely'
import { FAILOVER_MONITORS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { FailoverMonitorsTable } from '../../db/tables/index.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import { publish } from '../../plugins/events/queries.ts'
import { signalOf } from '../../schemas/events/events.ts'
import type { Approvable } from './approval.ts'
import { grantsOf, recordsVisibleTo, visibleTo, type Grant } from '../domains/access/access.ts'

export type MonitorRow = Selectable<FailoverMonitorsTable>

/** A monitor with its domain, as the caller sees it. */
export type SeenMonitor = MonitorRow &
  Approvable & {
    domain_name: string
    grants: readonly Grant[]
    /** One of its maintenance windows is open. */
    is_maintenance: boolean
  }

export interface MonitorFilter {
  domainId?: string
  page: number
  limit: number
}

/** Whether a maintenance window is open, by the clock of the database. */
export const isMaintenance = sql<boolean>`exists (
  select from jsonb_array_elements(failover_monitors.maintenance) as planned
  where now() >= (planned ->> 'from')::timestamptz and now() < (planned ->> 'until')::timestamptz
)`

/** A monitor is seen like a record of its name and type; the conditions of records name their table `records`. */
const visible = (db: Executor, principal: Principal, domainId?: string) =>
  db
    .selectFrom('failover_monitors')
    .innerJoin('domains', 'domains.id', 'failover_monitors.domain_id')
    .leftJoin('users as authors', 'authors.id', 'failover_monitors.author_id')
    .where(visibleTo(principal))
    .where('failover_monitors.id', 'in', (eb) =>
      eb
        .selectFrom('failover_monitors as records')
        .innerJoin('domains', 'domains.id', 'records.domain_id')
        .select('records.id')
        .where((inner) => inner.and(recordsVisibleTo(principal, domainId)))
        .$if(domainId !== undefined, (query) => query.where('records.domain_id', '=', domainId as string)),
    )

export const listMonitors = (
  db: Executor,
  principal: Principal,
  { domainId, page, limit }: MonitorFilter,
): Promise<SeenMonitor[]> =>
  visible(db, principal, domainId)
    .select(FAILOVER_MONITORS)
    .select(['domains.name as domain_name', 'domains.owner_id'])
    .select(['domains.review_policy', 'authors.role as author_role'])
    .select(grantsOf(principal).as('grants'))
    .select(isMaintenance.as('is_maintenance'))
    // What needs attention first.
    .orderBy(sql`failover_monitors.problem is null`)
    .orderBy('domains.name')
    .orderBy('failover_monitors.name')
    .orderBy('failover_monitors.type')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()

export async function countMonitors(
  db: Executor,
  principal: Principal,
  { domainId }: Pick<MonitorFilter, 'domainId'>,
): Promise<number> {
  const { count } = await visible(db, principal, domainId)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns the monitor if the caller sees it. */
export const findMonitor = (
  db: Executor,
  principal: Principal,
  id: string,
  { lock = false } = {},
): Promise<SeenMonitor | undefined> =>
  visible(db, principal)
    .select(FAILOVER_MONITORS)
    .select(['domains.name as domain_name', 'domains.owner_id'])
    .select(['domains.review_policy', 'authors.role as author_role'])
    .select(grantsOf(principal).as('grants'))
    .select(isMaintenance.as('is_maintenance'))
    .where('failover_monitors.id', '=', id)
    .$if(lock, (query) => query.forUpdate('failover_monitors'))
    .executeTakeFirst()

/** Monitors of a domain, and those that a user set up. */
export async function countForLimits(db: Executor, domainId: string, authorId: string) {
  return db
    .selectFrom('failover_monitors')
    .select([
      sql<number>`count(*) filter (where domain_id = ${domainId})::int`.as('ofDomain'),
      sql<number>`count(*) filter (where author_id = ${authorId})::int`.as('ofAuthor'),
    ])
    .where(sql<SqlBool>`(domain_id = ${domainId} or author_id = ${authorId})`)
    .executeTakeFirstOrThrow()
}

/** What setting up a monitor stores. */
export interface Settings extends Pick<
  MonitorRow,
  | 'alternatives'
  | 'probe'
  | 'interval_seconds'
  | 'failures'
  | 'successes'
  | 'hold_down_seconds'
  | 'back'
  | 'maintenance'
> {}

const stored = ({ alternatives, probe, maintenance, ...plain }: Settings) => ({
  ...plain,
  alternatives: JSON.stringify(alternatives),
  probe: JSON.stringify(probe),
  maintenance: JSON.stringify(maintenance),
})

/** Stores a new monitor; false if there is one for the name and type. */
export async function insertMonitor(
  db: Executor,
  { id, domain_id, name, type, author_id, author_name, active, ...settings }: NewMonitor,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('failover_monitors')
    .values({ id, domain_id, name, type, author_id, author_name, active, ...stored(settings) })
    .onConflict((conflict) => conflict.columns(['domain_id', 'name', 'type']).doNothing())
    .executeTakeFirst()
  await tellInstances(db, id)
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** With the commit, all instances read the monitor again. */
const tellInstances = (db: Executor, monitorId: string) =>
  publish(db, signalOf('failover.changed', { monitorId }))

export type NewMonitor = Settings &
  Pick<MonitorRow, 'id' | 'domain_id' | 'name' | 'type' | 'author_id' | 'author_name' | 'active'>

/** Stores settings. `restart`: what is checked or served changes, which makes the caller its author. */
export async function updateMonitor(
  db: Executor,
  id: string,
  settings: Settings,
  restart: Pick<MonitorRow, 'author_id' | 'author_name' | 'active'> | null,
): Promise<void> {
  await db
    .updateTable('failover_monitors')
    .set((eb) => ({
      ...stored(settings),
      updated_at: sql<Date>`now()`,
      ...(restart && {
        ...restart,
        revision: eb('revision', '+', 1),
        approver_id: null,
        approver_name: null,
        retry_at: null,
        problem: null,
        paused: sql<
          MonitorRow['paused']
        >`case when paused in ('records_changed', 'author', 'partial') then null else paused end`,
      }),
    }))
    .where('id', '=', id)
    .execute()
  await tellInstances(db, id)
}

export async function deleteMonitor(db: Executor, id: string): Promise<void> {
  await db.deleteFrom('failover_monitors').where('id', '=', id).execute()
  await tellInstances(db, id)
}

/** The checks of living instances for the current revision of monitors, and of how many instances there are. */
export const listVerdicts = (db: Executor, ids: readonly string[], livingSeconds: number) =>
  db
    .selectFrom('failover_verdicts')
    .innerJoin('failover_monitors', (join) =>
      join
        .onRef('failover_monitors.id', '=', 'failover_verdicts.monitor_id')
        .onRef('failover_monitors.revision', '=', 'failover_verdicts.revision'),
    )
    .innerJoin('instances', 'instances.id', 'failover_verdicts.instance_id')
    .select([
      'failover_verdicts.monitor_id',
      'failover_verdicts.instance_id',
      'failover_verdicts.alternative',
      'failover_verdicts.state',
      'failover_verdicts.latency_ms',
      'failover_verdicts.reason',
      'failover_verdicts.detail',
      'failover_verdicts.history',
      'failover_verdicts.certificate_expires',
      'failover_verdicts.checked_at',
    ])
    .where('failover_verdicts.monitor_id', '=', sql<string>`any(${ids})`)
    .where('instances.seen_at', '>', sql<Date>`now() - make_interval(secs => ${livingSeconds})`)
    .orderBy('failover_verdicts.instance_id')
    .execute()

export type VerdictRow = Awaited<ReturnType<typeof listVerdicts>>[number]

export async function countLiving(db: Executor, livingSeconds: number): Promise<number> {
  const { count } = await db
    .selectFrom('instances')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('seen_at', '>', sql<Date>`now() - make_interval(secs => ${livingSeconds})`)
    .executeTakeFirstOrThrow()
  return count
}

/** The values that are stored of each monitor's RRset, and its TTL. */
export const listServed = (db: Executor, ids: readonly string[]) =>
  db
    .selectFrom('failover_monitors')
    .innerJoin('records', (join) =>
      join
        .onRef('records.domain_id', '=', 'failover_monitors.domain_id')
        .onRef('records.name', '=', 'failover_monitors.name')
        .onRef('records.type', '=', 'failover_monitors.type'),
    )
    .select('failover_monitors.id as monitor_id')
    .select(['records.id', 'records.version', 'records.value', 'records.ttl', 'records.enabled'])
    .select(['records.proxied', 'records.routing', 'records.status', 'records.deleting'])
    .where('failover_monitors.id', '=', sql<string>`any(${ids})`)
    .execute()

export type ServedRow = Omit<Awaited<ReturnType<typeof listServed>>[number], 'monitor_id'>

/** Whether the account belongs to a person. */
export async function isPerson(db: Executor, userId: string): Promise<boolean> {
  const user = await db.selectFrom('users').select('account_kind').where('id', '=', userId).executeTakeFirst()
  return user?.account_kind === 'person'
}
