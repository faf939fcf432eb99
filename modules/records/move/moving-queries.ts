import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Found } from '../sync/sync-provider.ts'

/** Whether changes of the domain's records are in progress or pending. */
export async function hasUnsettled(db: Executor, domainId: string): Promise<boolean> {
  const row = await db
    .selectFrom('changes')
    .select('id')
    .where('domain_id', '=', domainId)
    .where(sql<boolean>`status = 'pending'`)
    .unionAll(db.selectFrom('name_locks').select('change_id as id').where('domain_id', '=', domainId))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Failed changes at the previous provider are not checked again. */
export const endRechecks = (db: Executor, domainId: string) =>
  db
    .updateTable('changes')
    .set({ look_again: false })
    .where('domain_id', '=', domainId)
    .where('look_again', '=', true)
    .execute()

/** Stores the ids and extra data of records with the same content at another provider. */
export const rehome = (db: Executor, records: { id: string; found: Found }[]) => {
  const rows = records.map(({ id, found: { providerId, content } }) => ({
    id,
    provider_id: providerId,
    extra: content.extra,
  }))
  const found = sql<(typeof rows)[number]>`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`.as<'found'>(
    sql`found (id uuid, provider_id text, extra jsonb)`,
  )
  return db
    .updateTable('records')
    .from(found)
    .set((eb) => ({
      provider_record_id: eb.ref('found.provider_id'),
      extra: sql`nullif(found.extra, 'null')`,
      status: 'active',
    }))
    .whereRef('records.id', '=', 'found.id')
    .execute()
}
