import { sql } from 'kysely'
import { DOMAINS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf } from '../../../db/expressions.ts'
import type { Actor } from '../../../plugins/security/access/index.ts'
import type { DueTime } from '../../../plugins/work/due-times-queries.ts'
import type { ExternalFailure } from '../../../schemas/codes/failure-codes.ts'
import { isLeased, takingLeases } from '../../../plugins/work/leases-queries.ts'
import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'
import { provenanceOf } from '../../audit/service.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import { queueChange } from '../mirrors/queue-queries.ts'
import type { RecordContent } from '../plan/change.ts'

/** The failure of the sync; null if it succeeded. */
export const endSync = (db: Executor, domainId: string, failure: ExternalFailure | null) =>
  db
    .updateTable('domains')
    .set({
      last_sync_error: failure?.message ?? null,
      last_sync_error_code: failure?.code ?? null,
      last_sync_error_params: failure?.params ?? null,
      last_sync_error_at: failure === null ? null : sql<Date>`now()`,
      ...(failure === null && {
        last_synced_at: sql`now()`,
        // It was due for its first import.
        sync_due_at: sql`case when sync_interval is null then null else sync_due_at end`,
      }),
    })
    .where('id', '=', domainId)
    .execute()

/** Takes the leases of domains that are due for an automatic sync and not being synced, longest due first. */
export function claimDueSyncs(db: Executor, limit: number, holder: string): Promise<DomainRow[]> {
  const due = db
    .selectFrom('domains')
    .select('id')
    .where('sync_due_at', '<=', sql<Date>`now()`)
    .where((eb) => eb.not(isLeased('sync', sql`domains.id`)))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('provider_configs')
            .whereRef('provider_configs.id', '=', 'provider_config_id')
            .where('breaker_next_try', '>', sql<Date>`now()`),
        ),
      ),
    )
    .orderBy('sync_due_at')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
  return db
    .with('taken', () => takingLeases(db, { kind: 'sync', holder, seconds: LEASE_SECONDS }, due))
    .selectFrom('domains')
    .select(DOMAINS)
    .where('id', 'in', (eb) => eb.selectFrom('taken').select('subject'))
    .execute()
}

/** Next attempt of a first import: every 10 minutes for a day, then none. */
const FIRST_SYNC = sql`case when last_synced_at is null and created_at > now() - interval '1 day'
  then now() + interval '10 minutes' end`

/**
 * When the domain is synced next, with some jitter to spread the load. Without automatic syncs, only until
 * the first import succeeds.
 */
export const scheduleNextSync = (db: Executor, domainId: string) =>
  db
    .updateTable('domains')
    .set({
      sync_due_at: sql<Date>`case when sync_interval is null then ${FIRST_SYNC}
        else now() + make_interval(secs => sync_interval * 60 * (0.95 + random() * 0.1)) end`,
    })
    .where('id', '=', domainId)
    .execute()

/** The due time of automatic syncs, with the longest wait. */
export const SYNCS_DUE: DueTime = {
  table: 'domains',
  column: 'sync_due_at',
  longest: sql`sync_interval * 60 * 1.05`,
  where: sql`sync_interval is not null`,
}

interface Synced {
  id: string
  content: RecordContent
  providerId: string | null
}

type SyncedRow = RecordContent & { id: string; provider_id: string | null }

/** Synced records as a table. */
const synced = (records: Synced[]) => {
  const rows = records.map(({ id, content, providerId }) => ({ id, provider_id: providerId, ...content }))
  return sql<SyncedRow>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<'found'>(
    sql`found (id uuid, provider_id text, name text, type text, value text, ttl int, priority int, proxied boolean,
      enabled boolean, comment text, routing jsonb, extra jsonb)`,
  )
}

export const insertSynced = (db: Executor, domainId: string, records: Synced[]) =>
  db
    .with('added', (cte) =>
      cte
        .insertInto('records')
        .columns([
          'id',
          'domain_id',
          'name',
          'type',
          'value',
          'ttl',
          'priority',
          'proxied',
          'enabled',
          'comment',
          'routing',
          'extra',
          'status',
          'provider_record_id',
        ])
        .expression((eb) =>
          eb
            .selectFrom(synced(records))
            .select([
              'found.id',
              sql<string>`${domainId}::uuid`.as('domain_id'),
              'name',
              'type',
              'value',
              'ttl',
            ])
            .select(['priority', 'proxied', 'enabled', 'comment'])
            .select([sql<string>`found.routing`.as('routing'), sql<string>`found.extra`.as('extra')])
            .select([sql<'active'>`'active'`.as('status'), 'provider_id']),
        )
        .returning('id'),
    )
    .updateTable('domains')
    .set((eb) => ({
      record_count: sql<number>`record_count + (select count(*) from added)::int`,
      record_version: eb('record_version', '+', 1),
    }))
    .where('id', '=', domainId)
    .execute()

export const updateSynced = (db: Executor, records: Synced[]) =>
  db
    .with('changed', (cte) =>
      cte
        .updateTable('records')
        .from(synced(records))
        .set((eb) => ({
          name: eb.ref('found.name'),
          type: eb.ref('found.type'),
          value: eb.ref('found.value'),
          ttl: eb.ref('found.ttl'),
          priority: eb.ref('found.priority'),
          proxied: eb.ref('found.proxied'),
          enabled: eb.ref('found.enabled'),
          comment: eb.ref('found.comment'),
          routing: sql`found.routing`,
          extra: sql`found.extra`,
          provider_record_id: eb.ref('found.provider_id'),
          status: 'active',
          version: sql<number>`records.version + 1`,
          updated_at: sql<Date>`now()`,
        }))
        .whereRef('records.id', '=', 'found.id')
        .returning('records.domain_id'),
    )
    .updateTable('domains')
    .set((eb) => ({ record_version: eb('record_version', '+', 1) }))
    .where('id', 'in', (eb) => eb.selectFrom('changed').select('domain_id'))
    .execute()

export const removeSynced = (db: Executor, ids: string[]) =>
  db
    .with('gone', (cte) => cte.deleteFrom('records').where('id', '=', anyOf(ids)).returning('domain_id'))
    .with('counted', (cte) =>
      cte
        .selectFrom('gone')
        .select(['domain_id', sql<number>`count(*)::int`.as('count')])
        .groupBy('domain_id'),
    )
    .updateTable('domains')
    .from('counted')
    .set((eb) => ({
      record_count: eb('record_count', '-', eb.ref('counted.count')),
      record_version: eb('record_version', '+', 1),
    }))
    .whereRef('domains.id', '=', 'counted.domain_id')
    .execute()

/** Whether the domain still has the provider and zone it was read from. */
export async function isServedFrom(
  db: Executor,
  { id, provider_config_id, zone_id }: Pick<DomainRow, 'id' | 'provider_config_id' | 'zone_id'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('domains')
    .select('id')
    .where('id', '=', id)
    .where('provider_config_id', '=', provider_config_id)
    .where('zone_id', '=', zone_id)
    .executeTakeFirst()
  return row !== undefined
}

const ITEMS_AT_ONCE = 1_000

/** Counts the records of the domain. */
export async function recordCountOf(db: Executor, domainId: string): Promise<number> {
  const row = await db
    .selectFrom('domains')
    .select('record_count')
    .where('id', '=', domainId)
    .executeTakeFirst()
  return row?.record_count ?? 0
}

/** Writes a sync to the history; settled at once, because the provider already has the records. */
export async function recordSyncItems(
  db: Executor,
  change: { id: string; domainId: string; actor: Actor; source: 'sync' | 'switch'; changedOutside?: boolean },
  items: { action: string; id: string; before: RecordContent | null; after: RecordContent | null }[],
): Promise<void> {
  await db
    .insertInto('changes')
    .values({
      id: change.id,
      domain_id: change.domainId,
      actor_id: change.actor.userId,
      actor_name: change.actor.username,
      ...provenanceOf(change.actor),
      source: change.source,
      changed_outside: change.changedOutside ?? false,
      status: 'applied',
      lease_until: sql`now()`,
      settled_at: sql`now()`,
    })
    .execute()
  await queueChange(db, change.domainId, change.id)
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const chunk = items.slice(from, from + ITEMS_AT_ONCE).map((item, i) => ({ ...item, position: from + i }))
    const item = sql<ChunkRow>`jsonb_to_recordset(${JSON.stringify(chunk)}::jsonb)`.as<'item'>(
      sql`item (position int, action text, id uuid, before jsonb, after jsonb)`,
    )
    await db
      .insertInto('change_items')
      .columns(['change_id', 'position', 'action', 'record_id', 'name', 'type', 'before', 'after', 'outcome'])
      .expression((eb) =>
        eb
          .selectFrom(item)
          .select([sql<string>`${change.id}::uuid`.as('change_id'), 'position', 'action', 'item.id'])
          .select(sql<string>`coalesce(after, before) ->> 'name'`.as('name'))
          .select(sql<RecordContent['type']>`coalesce(after, before) ->> 'type'`.as('type'))
          .select(['before', 'after', sql<'applied'>`'applied'`.as('outcome')]),
      )
      .execute()
  }
}

/** JSON in the form that the database accepts. */
interface ChunkRow {
  position: number
  action: 'create' | 'update' | 'delete'
  id: string
  before: string | null
  after: string | null
}
