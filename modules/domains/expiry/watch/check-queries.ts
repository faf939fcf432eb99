import { sql } from 'kysely'
import { DOMAINS } from '../../../../db/tables/columns.ts'
import type { Executor } from '../../../../db/connection/connect.ts'
import type { DomainsTable } from '../../../../db/tables/index.ts'
import { isLeased, takingLeases } from '../../../../plugins/work/leases-queries.ts'
import { LEASE_SECONDS } from '../../../../plugins/work/leases.ts'
import type { DomainRow } from '../../access/access.ts'

/** A domain whose expiry date is to be looked up. */
export interface DueCheck {
  id: string
  name: string
}

/** Takes the leases on the domains that have been due longest. */
export function claimChecks(db: Executor, holder: string, limit: number): Promise<DueCheck[]> {
  const due = db
    .selectFrom('domains')
    .select('id')
    .where('expiry_check_due_at', '<=', sql<Date>`now()`)
    .where((eb) => eb.not(isLeased('expiry_check', sql`domains.id`)))
    .orderBy('expiry_check_due_at')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
  return db
    .with('taken', () => takingLeases(db, { kind: 'expiry_check', holder, seconds: LEASE_SECONDS }, due))
    .selectFrom('domains')
    .select(['id', 'name'])
    .where('id', 'in', (eb) => eb.selectFrom('taken').select('subject'))
    .execute()
}

export const lockDomain = (trx: Executor, id: string): Promise<DomainRow | undefined> =>
  trx.selectFrom('domains').select(DOMAINS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Stores a look-up. It is not a change of the domain, so `updated_at` stays. */
export const noteCheck = (
  trx: Executor,
  id: string,
  set: Pick<DomainsTable, 'expiry_check_due_at'> & Partial<Pick<DomainsTable, 'expiry_checked_at'>>,
) => trx.updateTable('domains').set(set).where('id', '=', id).execute()
