import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Found } from '../sync/sync-provider.ts'

/** Whether changes of the domain's records are under way, or nobody knows yet how one ended. */
export async function hasUnsettled(db: Executor, domainId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from changes where domain_id = ${domainId} and status = 'pending'
    union all select 1 from name_locks where domain_id = ${domainId} limit 1
  `.execute(db)
  return rows.length > 0
}

/** What failed at a provider that the domain has left is not looked for there any more. */
export const endRechecks = (db: Executor, domainId: string) =>
  sql`update changes set look_again = false where domain_id = ${domainId} and look_again`.execute(db)

/** Records that say the same at another provider: what that knows them by, and has beside them. */
export const rehome = (db: Executor, records: { id: string; found: Found }[]) => {
  const rows = records.map(({ id, found: { providerId, content } }) => ({
    id,
    provider_id: providerId,
    extra: content.extra,
  }))
  return sql`
    update records set provider_record_id = found.provider_id, extra = nullif(found.extra, 'null'), status = 'active'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as found (id uuid, provider_id text, extra jsonb)
    where records.id = found.id
  `.execute(db)
}
