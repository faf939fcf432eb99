import { sql, type Insertable, type Selectable, type SqlBool } from 'kysely'
import { DOMAIN_TRANSFERS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf, daysAgo } from '../../../db/expressions.ts'
import type { DomainTransfersTable } from '../../../db/tables/index.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'

export type TransferStatus = DomainTransfersTable['status']

export type TransferView = Selectable<DomainTransfersTable> & {
  domain_name: string
  from_username: string
  to_username: string
}

export interface TransferFilter {
  status?: TransferStatus
  domainId?: string
  page: number
  limit: number
}

/** Maximum number of transfers ended in one transaction. */
const MAX_ENDED = 500

/** Expired offers count as expired before the scheduled task marks them. */
const STATUS = sql<TransferStatus>`case when domain_transfers.status = 'pending' and domain_transfers.expires_at <= now()
  then 'expired' else domain_transfers.status end`

/** Administrators see all offers; others those they made or received. */
const visibleTo = ({ role, userId }: Principal) =>
  role === 'admin'
    ? sql<SqlBool>`true`
    : sql<SqlBool>`${userId} in (domain_transfers.from_user_id, domain_transfers.to_user_id)`

const matching = (
  db: Executor,
  principal: Principal,
  { status, domainId }: Pick<TransferFilter, 'status' | 'domainId'>,
) =>
  db
    .selectFrom('domain_transfers')
    .where(visibleTo(principal))
    .$if(status !== undefined, (query) => query.where(STATUS, '=', status as TransferStatus))
    .$if(domainId !== undefined, (query) => query.where('domain_id', '=', domainId as string))

const views = (
  db: Executor,
  principal: Principal,
  filter: Pick<TransferFilter, 'status' | 'domainId'> = {},
) =>
  matching(db, principal, filter)
    .innerJoin('domains', 'domains.id', 'domain_transfers.domain_id')
    .innerJoin('users as givers', 'givers.id', 'domain_transfers.from_user_id')
    .innerJoin('users as receivers', 'receivers.id', 'domain_transfers.to_user_id')
    .select(DOMAIN_TRANSFERS)
    .select([
      STATUS.as('status'),
      'domains.name as domain_name',
      'givers.username as from_username',
      'receivers.username as to_username',
    ])

export const listTransfers = (
  db: Executor,
  principal: Principal,
  filter: TransferFilter,
): Promise<TransferView[]> =>
  views(db, principal, filter)
    .orderBy('domain_transfers.created_at', 'desc')
    .orderBy('domain_transfers.id', 'desc')
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
    .execute()

export async function countTransfers(
  db: Executor,
  principal: Principal,
  filter: TransferFilter,
): Promise<number> {
  const { count } = await matching(db, principal, filter)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const findTransfer = (
  db: Executor,
  principal: Principal,
  id: string,
): Promise<TransferView | undefined> =>
  views(db, principal).where('domain_transfers.id', '=', id).executeTakeFirst()

/** Returns nothing if the domain has a pending offer. */
export const insertTransfer = (db: Executor, row: Insertable<DomainTransfersTable>) =>
  db
    .insertInto('domain_transfers')
    .values(row)
    .onConflict((on) =>
      // A literal, because a parameter would not match the condition of the partial index.
      on
        .columns(['domain_id'])
        .where(sql<SqlBool>`status = 'pending'`)
        .doNothing(),
    )
    .returning(DOMAIN_TRANSFERS)
    .executeTakeFirst()

/** Ends a pending offer; returns nothing if it is no longer pending. */
export const endTransfer = (db: Executor, id: string, status: TransferStatus) =>
  db
    .updateTable('domain_transfers')
    .set({ status, ended_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(DOMAIN_TRANSFERS)
    .executeTakeFirst()

/** An ended offer, with names for its event. */
export interface EndedTransfer {
  status: 'withdrawn' | 'expired'
  domain_id: string
  domain_name: string
  from_user_id: string
  from_username: string
  to_user_id: string
  to_username: string
}

/** Ends pending offers of these domains, or of all; `expired`: only expired ones, at most MAX_ENDED. */
export function endTransfers(
  db: Executor,
  { expired, domainIds }: { expired: boolean; domainIds?: readonly string[] },
): Promise<EndedTransfer[]> {
  const over = sql<SqlBool>`expires_at <= now()`
  return db
    .with('due', (cte) =>
      cte
        .selectFrom('domain_transfers')
        .select('id')
        .where(sql<SqlBool>`status = 'pending'`)
        .$if(expired, (query) => query.where(over).limit(MAX_ENDED))
        .$if(domainIds !== undefined, (query) => query.where('domain_id', '=', anyOf(domainIds ?? [])))
        .orderBy('id')
        .forUpdate(),
    )
    .with('ended', (cte) =>
      cte
        .updateTable('domain_transfers')
        .set({
          ended_at: sql<Date>`now()`,
          status: sql<EndedTransfer['status']>`case when ${over} then 'expired' else 'withdrawn' end`,
        })
        .where('id', 'in', (eb) => eb.selectFrom('due').select('id'))
        .returning(['domain_id', 'from_user_id', 'to_user_id'])
        .returning(sql<EndedTransfer['status']>`status`.as('status')),
    )
    .selectFrom('ended')
    .innerJoin('domains', 'domains.id', 'ended.domain_id')
    .innerJoin('users as givers', 'givers.id', 'ended.from_user_id')
    .innerJoin('users as receivers', 'receivers.id', 'ended.to_user_id')
    .selectAll('ended')
    .select([
      'domains.name as domain_name',
      'givers.username as from_username',
      'receivers.username as to_username',
    ])
    .execute()
}

/** Locks the domain regardless of visibility, and returns its owner. */
export const lockOwned = (trx: Executor, domainId: string) =>
  trx
    .selectFrom('domains')
    .select(['id', 'name', 'owner_id'])
    .where('id', '=', domainId)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** Deletes those that ended long ago; a scheduled task. */
export const deleteLongEndedTransfers = (db: Executor, days: number) =>
  db.deleteFrom('domain_transfers').where('ended_at', '<', daysAgo(days)).execute()
