import { sql } from 'kysely'
import { DOMAINS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { DomainsTable } from '../../../db/tables/index.ts'
import { isLeased, takingLeases } from '../../../plugins/work/leases-queries.ts'
import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'
import type { DomainRow } from '../access/access.ts'

/** A domain whose expiry date is to be looked up. */
export interface DueCheck {
  id: string
  name: string
}

/** Takes the leases on the domains that have been due longest. */
export async function claimChecks(db: Executor, holder: string, limit: number): Promise<DueCheck[]> {
  const lease = { kind: 'expiry_check', holder, seconds: LEASE_SECONDS } as const
  const { rows } = await sql<DueCheck>`
    with due as (
      select id from domains where expiry_check_due_at <= now() and not ${isLeased('expiry_check', sql`domains.id`)}
      order by expiry_check_due_at limit ${limit} for no key update skip locked
    ), taken as (${takingLeases(lease, sql`due`)})
    select id, name from domains where id in (select subject from taken)
  `.execute(db)
  return rows
}

export const lockDomain = (trx: Executor, id: string): Promise<DomainRow | undefined> =>
  trx.selectFrom('domains').select(DOMAINS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Stores a look-up. It is not a change of the domain, so `updated_at` stays. */
export const noteCheck = (
  trx: Executor,
  id: string,
  set: Pick<DomainsTable, 'expiry_check_due_at'> & Partial<Pick<DomainsTable, 'expiry_checked_at'>>,
) => trx.updateTable('domains').set(set).where('id', '=', id).execute()
