import { sql } from 'kysely'
import { DOMAINS } from '../../../db/columns.ts'
import type { Executor } from '../../../db/connect.ts'
import type { DomainsTable } from '../../../db/tables.ts'
import type { DomainRow } from '../access.ts'

/**
 * Takes domains whose date is to be looked up; they come up again by themselves after so many seconds, when
 * the one who took them did not store an outcome.
 */
export async function claimChecks(
  db: Executor,
  { limit, leaseSeconds }: { limit: number; leaseSeconds: number },
): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    with due as (
      select id from domains where expiry_check_due_at <= now()
      order by expiry_check_due_at limit ${limit} for no key update skip locked
    )
    update domains set expiry_check_due_at = now() + make_interval(secs => ${leaseSeconds})
    from due where domains.id = due.id
    returning domains.id, domains.name
  `.execute(db)
  return rows
}

export const lockDomain = (trx: Executor, id: string): Promise<DomainRow | undefined> =>
  trx.selectFrom('domains').select(DOMAINS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** That a domain was looked up is no change of it: `updated_at` stays. */
export const noteCheck = (
  trx: Executor,
  id: string,
  set: Pick<DomainsTable, 'expiry_check_due_at'> & Partial<Pick<DomainsTable, 'expiry_checked_at'>>,
) => trx.updateTable('domains').set(set).where('id', '=', id).execute()
