import { sql } from 'kysely'
import type { Executor } from '../../../../db/connection/connect.ts'
import { anyOf } from '../../../../db/expressions.ts'
import type { Actor } from '../../../../plugins/security/access/index.ts'
import { provenanceOf } from '../../../audit/service.ts'
import type { Found } from '../sync-provider.ts'

/** A record of a new domain, and its place in the domain's first change. */
export interface FirstRecord extends Found {
  id: string
  domainId: string
  changeId: string
  position: number
}

/** Those of the names that are registered with the configuration. */
export async function registeredNames(
  db: Executor,
  providerConfigId: string,
  names: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('domains')
    .select('name')
    .where('provider_config_id', '=', providerConfigId)
    .where('name', '=', anyOf(names))
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** Inserts records and counts them in their domains. */
export async function insertFirstRecords(db: Executor, records: readonly FirstRecord[]): Promise<void> {
  const rows = records.map(({ id, domainId, providerId, content }) => ({
    ...content,
    id,
    domain_id: domainId,
    provider_record_id: providerId,
  }))
  await sql`
    with added as (
      insert into records (id, domain_id, name, type, value, ttl, priority, proxied, enabled, comment, routing, extra, status,
        provider_record_id)
      select id, domain_id, name, type, value, ttl, priority, proxied, enabled, comment, routing, extra, 'active',
        provider_record_id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as found (id uuid, domain_id uuid, name text, type text,
        value text, ttl int, priority int, proxied boolean, enabled boolean, comment text, routing jsonb, extra jsonb,
        provider_record_id text)
      returning domain_id
    )
    update domains set record_count = record_count + counted.count, record_version = record_version + 1
    from (select domain_id, count(*)::int as count from added group by domain_id) as counted
    where domains.id = counted.domain_id
  `.execute(db)
}

/** The first changes of domains; settled at once, because the provider has the records. */
export const insertFirstChanges = (
  db: Executor,
  actor: Actor,
  changes: readonly { id: string; domainId: string }[],
) =>
  db
    .insertInto('changes')
    .values(
      changes.map(({ id, domainId }) => ({
        id,
        domain_id: domainId,
        actor_id: actor.userId,
        actor_name: actor.username,
        ...provenanceOf(actor),
        source: 'sync' as const,
        status: 'applied' as const,
        lease_until: sql<Date>`now()`,
        settled_at: sql<Date>`now()`,
      })),
    )
    .execute()

export async function insertFirstItems(db: Executor, records: readonly FirstRecord[]): Promise<void> {
  const items = records.map(({ id, changeId, position, content }) => ({
    id,
    changeId,
    position,
    after: content,
  }))
  await sql`
    insert into change_items (change_id, position, action, record_id, name, type, before, after, outcome)
    select "changeId", position, 'create', id, after ->> 'name', after ->> 'type', null, after, 'applied'
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as item ("changeId" uuid, position int, id uuid, after jsonb)
  `.execute(db)
}
