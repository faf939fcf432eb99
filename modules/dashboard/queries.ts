import { sql, type NotNull } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import type { DomainStatus } from '../../schemas/domain.ts'
import {
  domainsOf,
  grantsOf,
  ownDomainsOf,
  shownSyncError,
  visibleUnmanagedCount,
} from '../domains/access/access.ts'
import type { RecentFailure } from './schemas.ts'

/** Older failures are not shown. */
const RECENT = sql<Date>`now() - interval '30 days'`

interface ExpiryRow {
  id: string
  name: string
  unicode_name: string
  expires_at: Date
  expiring_at: Date
}

/** Visible domains that expire next. */
export function nextExpiries(db: Executor, principal: Principal, limit: number): Promise<ExpiryRow[]> {
  const end = () => sql`order by expires_at, id limit ${limit}`
  return db
    .selectFrom(domainsOf(principal, { filters: [sql`domains.expires_at > now()`], end }))
    .select(['id', 'name', 'unicode_name', 'expires_at', 'expiring_at'])
    .orderBy('expires_at')
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ expires_at: NotNull; expiring_at: NotNull }>()
    .execute()
}

interface WeekRow {
  /** Weeks since the first; -1: all before it. */
  week: number
  status: DomainStatus
  count: number
  /** The longest lead time of their reminders. */
  lead_days: number
}

/** Counts visible domains that expire in each of `weeks` weeks from `first`, by status. */
export async function countExpiries(
  db: Executor,
  principal: Principal,
  { first, weeks }: { first: Date; weeks: number },
): Promise<WeekRow[]> {
  const filters = [
    sql<boolean>`domains.expires_at < ${first}::timestamptz + make_interval(weeks => ${weeks})`,
  ]
  const { rows } = await sql<WeekRow>`
    select greatest(floor(extract(epoch from expires_at - ${first}::timestamptz) / 604800), -1)::int as week,
      case when expires_at <= now() then 'expired' when expiring_at <= now() then 'expiring' else 'active' end as status,
      count(*)::int as count, coalesce(ceil(extract(epoch from max(expires_at - expiring_at)) / 86400), 0)::int as lead_days
    from ${domainsOf(principal, { filters })} group by 1, 2
  `.execute(db)
  return rows
}

interface UnmanagedRow {
  id: string
  name: string
  count: number
  /** Over all such domains. */
  total: number
}

/** Domains with the most visible unmanaged records. */
export async function mostUnmanaged(
  db: Executor,
  principal: Principal,
  limit: number,
): Promise<UnmanagedRow[]> {
  const filters = [sql<boolean>`domains.unmanaged_count > 0`]
  const { rows } = await sql<UnmanagedRow>`
    select id, name, count, (sum(count) over ())::int as total
    from (select id, name, ${visibleUnmanagedCount(principal)} as count from ${domainsOf(principal, { filters })}) as seen
    where count > 0 order by count desc, name, id limit ${limit}
  `.execute(db)
  return rows
}

type FailureRow = Omit<RecentFailure, 'at'> & { at: Date }

/** Visible domains whose last sync failed. */
export async function failedSyncs(db: Executor, principal: Principal, limit: number): Promise<FailureRow[]> {
  const end = () => sql`order by last_sync_error_at desc, id limit ${limit}`
  const filters = [
    sql<boolean>`domains.last_sync_error is not null`,
    sql<boolean>`domains.last_sync_error_at > ${RECENT}`,
  ]
  const rows = await db
    .selectFrom(domainsOf(principal, { filters, end }))
    .select(['id', 'name', 'owner_id', 'last_sync_error', 'last_sync_error_code', 'last_sync_error_params'])
    .select(['last_sync_error_at', grantsOf(principal).as('grants')])
    .orderBy('last_sync_error_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ last_sync_error_at: NotNull }>()
    .execute()
  return rows.map((row) => {
    const shown = shownSyncError(row, principal)
    return {
      kind: 'sync',
      id: row.id,
      domainId: row.id,
      name: row.name,
      error: shown.last_sync_error ?? '',
      errorCode: shown.last_sync_error_code,
      errorParams: shown.last_sync_error_params,
      at: row.last_sync_error_at,
    }
  })
}

/** Failed and partly applied changes of domains that the caller owns; for administrators, of all domains. */
export const failedChanges = (db: Executor, principal: Principal, limit: number): Promise<FailureRow[]> =>
  db
    .selectFrom('changes')
    .innerJoin(ownDomainsOf(principal), 'domains.id', 'changes.domain_id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('change_items')
          .select(['error', 'error_code'])
          .whereRef('change_id', '=', 'changes.id')
          .where('outcome', '=', 'failed')
          .orderBy('position')
          .limit(sql.lit(1))
          .as('failed'),
      (join) => join.onTrue(),
    )
    .select([sql.lit('change' as const).as('kind'), 'changes.id', 'domains.id as domainId', 'domains.name'])
    .select((eb) => [
      'changes.created_at as at',
      eb.fn.coalesce('failed.error', sql.lit('Not done')).as('error'),
      sql<
        string | null
      >`coalesce(failed.error_code, case when failed.error is null then 'change_not_taken' end)`.as(
        'errorCode',
      ),
      sql<null>`null`.as('errorParams'),
    ])
    // A literal condition, so that the index of failed changes is used.
    .where(sql<boolean>`changes.status in ('failed', 'partial')`)
    .where('changes.created_at', '>', RECENT)
    .orderBy('changes.created_at', 'desc')
    .orderBy('changes.id')
    .limit(limit)
    .execute()

/** Channels whose last delivery failed. */
export const failingChannels = (db: Executor, limit: number): Promise<FailureRow[]> =>
  db
    .selectFrom('channel_configs')
    .select([sql.lit('channel' as const).as('kind'), 'id', sql<null>`null`.as('domainId'), 'name'])
    .select((eb) => [
      eb.fn.coalesce('last_delivery_error', sql.lit('')).as('error'),
      'last_delivery_error_code as errorCode',
      'last_delivery_error_params as errorParams',
      'last_delivery_at as at',
    ])
    .where('last_delivery_ok', '=', false)
    .where('enabled', '=', true)
    .where('last_delivery_at', '>', RECENT)
    .orderBy('last_delivery_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ at: NotNull }>()
    .execute()
