import { sql, type Selectable } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { allOf, daysAgo, inSeconds } from '../../../db/expressions.ts'
import type { DueTime } from '../../../plugins/work/due-times-queries.ts'
import { notify } from '../../../plugins/events/queries.ts'
import type { ExternalFailure } from '../../../schemas/codes/failure-codes.ts'
import { isLeased, isLeasedBy, takingLeases } from '../../../plugins/work/leases-queries.ts'
import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'
import type { Belonging } from '../../../schemas/events/event-catalogue.ts'
import { signalOf } from '../../../schemas/events/events.ts'
import type { DeliveriesTable } from '../../../db/tables/index.ts'
import type { ChannelRow } from '../queries.ts'
import type { Message, Pace } from '../senders/contract.ts'

export type DeliveryRow = Selectable<DeliveriesTable>

/** The channels that get an event. */
export interface DeliveryTargets {
  patterns: readonly string[]
  /** A channel that the event is about, which doesn't get it. */
  about: string | null
  /** The domain that the event is about. */
  domainId: string | null
  /** Groups and tags of that domain, if it was deleted. */
  gone: Belonging | null
}

/**
 * Queues the message for each enabled channel whose event patterns and domain filter match, and wakes the queue. A
 * message that is queued already stays as it is.
 */
export const insertDeliveries = (
  trx: Executor,
  message: Message,
  { patterns, about, domainId, gone }: DeliveryTargets,
) =>
  sql`
    insert into deliveries (id, channel_id, event_id, event, message, status, created_at)
    select gen_random_uuid(), id, ${message.id}::uuid, ${message.event}, ${JSON.stringify(message)}::jsonb, 'pending', clock_timestamp()
    from channel_configs
    where enabled and events && ${patterns}::text[] and id is distinct from ${about}::uuid
      and (domain_groups = '{}' and domain_tags = '{}' or exists (
        select from (
          select group_name, tags from domains where id = ${domainId}::uuid
          union all
          select ${gone?.groupName ?? null}::text, ${gone?.tags ?? []}::text[] where ${gone !== null}::boolean
        ) as domain
        where (domain_groups = '{}' or group_name = any(domain_groups)) and (domain_tags = '{}' or tags && domain_tags)
      ))
    for key share
    on conflict (event_id, channel_id) do nothing
    returning ${notify(signalOf('deliveries.added'))}
  `.execute(trx)

// A literal, because the index of pending deliveries has this condition.
const PENDING = sql.lit('pending' as const)

/** Takes the leases on channels with pending messages that may be sent now; returns their ids. */
export async function takeChannels(
  db: Executor,
  { holder, except, limit }: { holder: string; except: readonly string[]; limit: number },
): Promise<string[]> {
  const due = db
    .selectFrom('channel_configs as channel')
    .select('id')
    .where('enabled', '=', true)
    .where('next_try_at', '<=', sql<Date>`now()`)
    .where((eb) => eb.not(isLeased('channel', sql`channel.id`)))
    .where('id', '<>', allOf(except))
    .where((eb) =>
      eb.exists(
        eb.selectFrom('deliveries').whereRef('channel_id', '=', 'channel.id').where('status', '=', PENDING),
      ),
    )
    .limit(limit)
  const rows = await takingLeases(db, { kind: 'channel', holder, seconds: LEASE_SECONDS }, due).execute()
  return rows.map(({ subject }) => subject)
}

/** The oldest pending message of a channel, with what is needed to send it. */
export interface Head extends Pick<ChannelRow, 'id' | 'channel' | 'name' | 'config' | 'failures'> {
  /** Of the configuration read; text, since it has microseconds. */
  version: string
  /** Until the channel may be tried again; negative if it may. */
  backoff_ms: number
  /** How far the channel is ahead of an even pace. */
  ahead_ms: number
  delivery_id: string
  message: Message
  tries: number
  age_seconds: number
}

/** Undefined when none is pending, or another instance has the lease. */
export const findHead = (db: Executor, channelId: string, holder: string): Promise<Head | undefined> =>
  db
    .selectFrom('channel_configs')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('deliveries')
          .select(['id', 'message', 'tries', 'created_at'])
          .whereRef('channel_id', '=', 'channel_configs.id')
          .where('status', '=', PENDING)
          .orderBy('created_at')
          .orderBy('id')
          .limit(sql.lit(1))
          .as('head'),
      (join) => join.onTrue(),
    )
    .select(['channel_configs.id', 'channel', 'name', 'config', 'failures'])
    .select(['head.id as delivery_id', 'message', 'tries'])
    .select([
      sql<string>`updated_at::text`.as('version'),
      sql<number>`(extract(epoch from channel_configs.next_try_at - now()) * 1000)::float8`.as('backoff_ms'),
      sql<number>`(extract(epoch from paced_until - now()) * 1000)::float8`.as('ahead_ms'),
      sql<number>`extract(epoch from now() - head.created_at)::float8`.as('age_seconds'),
    ])
    .where('channel_configs.id', '=', channelId)
    .where('enabled', '=', true)
    .where(isLeasedBy('channel', sql`channel_configs.id`, holder))
    .$castTo<Head>()
    .executeTakeFirst()

/** Records a delivery. `intervalMs`: the channel's pace. */
export const settleSuccess = (db: Executor, head: Head, intervalMs: number) =>
  db
    .with('delivered', (cte) =>
      cte
        .updateTable('deliveries')
        .set((eb) => ({
          status: 'delivered',
          tries: eb('tries', '+', 1),
          last_try_at: sql`now()`,
          delivered_at: sql`now()`,
          last_error: null,
          last_error_code: null,
          last_error_params: null,
        }))
        .where('id', '=', head.delivery_id),
    )
    .updateTable('channel_configs')
    .set({
      last_delivery_at: sql`now()`,
      last_delivery_ok: true,
      last_delivery_error: null,
      last_delivery_error_code: null,
      last_delivery_error_params: null,
      failures: 0,
      next_try_at: sql`now()`,
      paced_until: nextPace(intervalMs),
    })
    .where('id', '=', head.id)
    .execute()

export interface FailedAttempt {
  error: ExternalFailure
  /** The message is given up. */
  dead: boolean
  /** Pending messages of this age in seconds are given up too; null: no others. */
  deadFrom: number | null
  /** The channel is disabled. */
  disable: boolean
  /** The failure concerns the channel, not only this message. */
  counts: boolean
  delaySeconds: number
  intervalMs: number
}

/**
 * Records a failed attempt. If the channel was changed during it, the immediate retry of that change stays. Returns
 * whether the channel is enabled afterwards; null if it was deleted.
 */
export async function settleFailure(
  db: Executor,
  head: Head,
  failure: FailedAttempt,
): Promise<boolean | null> {
  const { message, code, params = null } = failure.error
  const namedParams = params && JSON.stringify(params)
  const lastError = { last_error: message, last_error_code: code, last_error_params: namedParams }
  const isUnchanged = sql<boolean>`updated_at = ${head.version}::timestamptz`
  const row = await db
    .with('tried', (cte) =>
      cte
        .updateTable('deliveries')
        .set((eb) => ({
          ...lastError,
          status: failure.dead ? 'dead' : 'pending',
          tries: eb('tries', '+', 1),
          last_try_at: sql`now()`,
          next_try_at: inSeconds(failure.delaySeconds),
        }))
        .where('id', '=', head.delivery_id),
    )
    .with('given_up', (cte) =>
      cte
        .updateTable('deliveries')
        .set({ ...lastError, status: 'dead' })
        .where('channel_id', '=', head.id)
        .where('status', '=', PENDING)
        .where('id', '<>', head.delivery_id)
        .where('created_at', '<=', sql<Date>`now() - make_interval(secs => ${failure.deadFrom}::float8)`),
    )
    .updateTable('channel_configs')
    .set((eb) => ({
      last_delivery_at: sql`now()`,
      last_delivery_ok: false,
      last_delivery_error: message,
      last_delivery_error_code: code,
      last_delivery_error_params: namedParams,
      failures: sql`case when ${isUnchanged} then failures + ${failure.counts ? 1 : 0} else failures end`,
      next_try_at: sql`case when ${isUnchanged} then ${inSeconds(failure.delaySeconds)} else next_try_at end`,
      enabled: failure.disable ? sql`enabled and not ${isUnchanged}` : eb.ref('enabled'),
      paced_until: nextPace(failure.intervalMs),
    }))
    .where('id', '=', head.id)
    .returning('enabled')
    .executeTakeFirst()
  return row?.enabled ?? null
}

/** Counts a message sent outside the queue for the pace. */
export const recordPace = (db: Executor, channelId: string, intervalMs: number) =>
  db
    .updateTable('channel_configs')
    .set({ paced_until: nextPace(intervalMs) })
    .where('id', '=', channelId)
    .execute()

const nextPace = (intervalMs: number) =>
  sql<Date>`greatest(paced_until, now()) + make_interval(secs => ${intervalMs / 1000})`

/** How long channels can wait for their next try, and for their pace. */
export function channelsDue(senders: [kind: string, { pace: Pace | null }][]): DueTime[] {
  const paces = senders.flatMap(([kind, { pace }]) =>
    pace ? [sql`when ${sql.lit(kind)} then ${sql.lit((pace.burst * pace.intervalMs) / 1000)}`] : [],
  )
  return [
    {
      table: 'channel_configs',
      column: 'next_try_at',
      // Stored together with one of the two.
      longest: sql`greatest(0, extract(epoch from next_try_at - greatest(last_delivery_at, updated_at)))`,
    },
    {
      table: 'channel_configs',
      column: 'paced_until',
      longest: sql`case channel ${sql.join(paces, sql` `)} else 0 end`,
    },
  ]
}

/** Deletes old finished deliveries; returns how many. Fewer than `limit` means that none is left. */
export async function deleteOldDeliveries(
  db: Executor,
  { deliveredDays, deadDays, limit }: { deliveredDays: number; deadDays: number; limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('deliveries')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .select('id')
        .where('status', '<>', PENDING)
        .where('created_at', '<', daysAgo(deliveredDays))
        .where(eb.or([eb('status', '=', 'delivered'), eb('created_at', '<', daysAgo(deadDays))]))
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
