import { sql, type Insertable, type Updateable } from 'kysely'
import { DOMAINS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { DomainsTable } from '../../db/tables/index.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import {
  domainsOf,
  EVERYONE,
  recordsInScope,
  visibleTo,
  type DomainRow,
  type RecordScope,
} from './access/access.ts'
import { VERSION } from './access/assigned-queries.ts'
import type { Soa } from '../providers/contract.ts'
import { leadTimeOf } from './expiry/dates.ts'
import type { NamesOfOne } from './mapper.ts'
import type { BulkSettings } from './settings.ts'

/** The domain of that name with this configuration; with `zoneId` the one of that zone. */
export const findByName = (
  db: Executor,
  providerConfigId: string,
  name: string,
  zoneId: string | undefined,
) =>
  db
    .selectFrom('domains')
    .select('id')
    .where('provider_config_id', '=', providerConfigId)
    .where('name', '=', name)
    .$if(zoneId !== undefined, (query) => query.where('zone_id', '=', zoneId ?? ''))
    .executeTakeFirst()

export const zonesOfConfig = (db: Executor, providerConfigId: string) =>
  db
    .selectFrom('domains')
    .select(['id', 'zone_id'])
    .where('provider_config_id', '=', providerConfigId)
    .execute()

export const insertDomain = (db: Executor, row: Insertable<DomainsTable>) =>
  db.insertInto('domains').values(row).returning(DOMAINS).executeTakeFirstOrThrow()

export const updateDomain = (db: Executor, id: string, set: Updateable<DomainsTable>) =>
  db
    .updateTable('domains')
    .set({ ...set, updated_at: sql`now()` })
    .where('id', '=', id)
    .returning(DOMAINS)
    .executeTakeFirstOrThrow()

/** The names of what a domain refers to: neither can be removed while it does. */
export async function namesOf(
  db: Executor,
  { owner_id, provider_config_id }: Pick<DomainRow, 'owner_id' | 'provider_config_id'>,
): Promise<NamesOfOne> {
  const { username, provider, name } = await db
    .selectFrom('users')
    .innerJoin('provider_configs', (join) => join.on('provider_configs.id', '=', provider_config_id))
    .where('users.id', '=', owner_id)
    .select(['users.username', 'provider_configs.provider', 'provider_configs.name'])
    .executeTakeFirstOrThrow()
  return { owner: username, config: { provider, name } }
}

/** Keeps the SOA as its provider has it. */
export const storeSoa = (db: Executor, id: string, soa: Soa | null) =>
  sql`update domains set soa = ${soa && JSON.stringify(soa)}::jsonb where id = ${id}`.execute(db)

export const deleteDomain = (db: Executor, id: string) =>
  db.deleteFrom('domains').where('id', '=', id).execute()

/** Locks those of the domains that the caller sees, in the order of their ids. */
export const lockDomains = (db: Executor, principal: Principal, ids: string[]) =>
  db
    .selectFrom('domains')
    .select(DOMAINS)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where(visibleTo(principal))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Sets the same for many; where reminders change, each domain's date decides when it begins to expire. */
export const updateDomains = (db: Executor, ids: string[], set: BulkSettings) => {
  const { groupName, tags, addTags = [], removeTags = [], expiryRemindDays, autoCheckExpiry } = set
  const newTags = sql<string[]>`array(
    select tag from unnest(${tags ?? sql.ref('tags')}::text[] || ${addTags}::text[]) with ordinality as given (tag, position)
    where tag <> all(${removeTags}::text[]) or tag = any(${addTags}::text[])
    group by tag order by min(position))`
  return db
    .updateTable('domains')
    .set({
      tags: newTags,
      ...(groupName !== undefined && { group_name: groupName }),
      ...(expiryRemindDays !== undefined && {
        expiry_remind_days: expiryRemindDays,
        expiring_at: sql<Date>`expires_at - make_interval(hours => ${leadTimeOf(expiryRemindDays) * 24})`,
        reminder_due_at: sql<Date>`case when expires_at is not null then now() end`,
      }),
      ...(autoCheckExpiry !== undefined && {
        auto_check_expiry: autoCheckExpiry,
        // Where it was on already, the next look-up stays when it is due.
        expiry_check_due_at: autoCheckExpiry
          ? sql<Date>`case when auto_check_expiry then expiry_check_due_at else now() end`
          : null,
      }),
      updated_at: sql`now()`,
    })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .returning(['name', 'tags'])
    .execute()
}

/** Of a domain that the caller holds. */
export const setOwner = (db: Executor, id: string, ownerId: string) =>
  updateDomain(db, id, { owner_id: ownerId })

export async function countDomainsOf(db: Executor, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('domains')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('owner_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

/** Gives all domains of one user to another and answers their ids; locked in the order of these. */
export async function giveDomains(db: Executor, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with owned as (
      select id from domains where owner_id = ${from} order by id for no key update
    )
    update domains set owner_id = ${to} where id in (select id from owned) returning id
  `.execute(db)
  return rows.map(({ id }) => id)
}

interface SeenRecords {
  record_count: number
  unmanaged_count: number
  record_version: number
}

/** Records that somebody sees of a domain, and those that are not managed here. */
export async function countRecordsInScope(
  db: Executor,
  domainId: string,
  scope: RecordScope,
): Promise<SeenRecords> {
  const conditions = sql.join([sql`domain_id = ${domainId}`, ...recordsInScope(scope)], sql` and `)
  const { rows } = await sql<SeenRecords>`
    select record_count, record_version,
      (select count(*)::int from unmanaged_records as records where ${conditions}) as unmanaged_count
    from (
      select count(*)::int as record_count, ${VERSION} as record_version from records where ${conditions}
    ) as seen
  `.execute(db)
  return rows[0] as SeenRecords
}

/**
 * Keeps the lists of those who see these domains: their totals, and a version by which every remembered
 * total of a filter is known to be right or not. `totals`: how many domains more or fewer somebody owns,
 * 0 for those who only see some otherwise now; who has an assignment of the domains is found here.
 * Call it last in the transaction: the row of the list of all is everyone's.
 */
export async function touchLists(
  db: Executor,
  totals: ReadonlyMap<string, number>,
  domainIds: readonly string[],
): Promise<void> {
  await sql`
    insert into domain_lists (viewer, total, version)
    select viewer, sum(count)::int, 1 from (
      select * from unnest(${[...totals.keys()]}::uuid[], ${[...totals.values()]}::int[])
      union all select ${EVERYONE}::uuid, ${[...totals.values()].reduce((sum, count) => sum + count, 0)}::int
      union all select user_id, 0 from assignments where domain_id = any(${domainIds}::uuid[])
    ) as touched (viewer, count)
    group by viewer order by viewer
    on conflict (viewer) do update
      set total = domain_lists.total + excluded.total, version = domain_lists.version + 1
  `.execute(db)
}

/** Of people who from now on see other domains than before, or don't any more, and own the same. */
export async function touchListsOf(db: Executor, userIds: readonly string[]): Promise<void> {
  await sql`
    insert into domain_lists (viewer, total, version)
    select viewer, 0, 1 from unnest(${userIds}::uuid[]) as viewer order by viewer
    on conflict (viewer) do update set version = domain_lists.version + 1
  `.execute(db)
}

export const countTags = (db: Executor, principal: Principal) =>
  sql<{ name: string; count: number }>`
    select tag as name, count(*)::int as count from ${domainsOf(principal)}, unnest(tags) as tag
    group by tag order by tag
  `.execute(db)

export const countGroups = (db: Executor, principal: Principal) =>
  sql<{ name: string; count: number }>`
    select group_name as name, count(*)::int as count from ${domainsOf(principal)}
    where group_name <> '' group by group_name order by group_name
  `.execute(db)
