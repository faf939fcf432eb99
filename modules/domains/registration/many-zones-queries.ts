import { sql, type Insertable } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { DOMAINS } from '../../../db/tables/columns.ts'
import type { DomainsTable } from '../../../db/tables/index.ts'
import { zoneNamesOf } from '../access/holder.ts'
import { NAME_LOCKS, sharedPartOf } from './namesake-queries.ts'

/** `lockNames` for several names; always in the same order, so that two registrations can't block each other. */
export const lockAllNames = (trx: Executor, names: readonly string[]) => {
  const shared = [...new Set(names.map(sharedPartOf))].sort()
  return sql`select pg_advisory_xact_lock(${NAME_LOCKS}::int, hashtext(shared)) from unnest(${shared}::text[]) as shared`.execute(
    trx,
  )
}

/**
 * The ids of the zones that are neither registered with this configuration nor mirrors, and whose names don't overlap with
 * another user's domain. The range of reversed names is that of `overlaps` in namesake-queries.
 */
export async function plainZones(
  db: Executor,
  userId: string,
  providerConfigId: string,
  zones: readonly { id: string; name: string }[],
): Promise<Set<string>> {
  const wanted = zones.map(({ id, name }) => ({ id, name, above: zoneNamesOf(name) }))
  const { rows } = await sql<{ id: string }>`
    select wanted.id from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted (id text, name text, above text[])
    where not exists (select from domains where provider_config_id = ${providerConfigId} and name = wanted.name)
      and not exists (select from mirrors where provider_config_id = ${providerConfigId} and zone_id = wanted.id)
      and not exists (select from domains where name = any(wanted.above) and owner_id <> ${userId})
      and not exists (
        select from domains where reverse(name) ~>=~ (reverse(wanted.name) || '.')
          and reverse(name) ~<~ (reverse(wanted.name) || '/') and owner_id <> ${userId}
      )
  `.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Inserts domains whose first sync is part of the transaction. */
export const insertSyncedDomains = (db: Executor, rows: readonly Insertable<DomainsTable>[]) =>
  db
    .insertInto('domains')
    .values(rows.map((row) => ({ ...row, last_synced_at: sql<Date>`now()`, sync_due_at: null })))
    .returning(DOMAINS)
    .execute()
