import { sql, type Insertable, type Updateable } from 'kysely'
import { DOMAINS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import { anyOf } from '../../db/expressions.ts'
import type { DomainsTable } from '../../db/tables/index.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import {
  domainsOf,
  EVERYONE,
  grantsOf,
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

/** Finds a domain by name (and zone) within a provider configuration. */
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

/** Whether the zone is the mirror of a domain. */
export async function isMirrored(db: Executor, providerConfigId: string, zoneId: string): Promise<boolean> {
  const row = await db
    .selectFrom('mirrors')
    .select('id')
    .where('provider_config_id', '=', providerConfigId)
    .where('zone_id', '=', zoneId)
    .executeTakeFirst()
  return row !== undefined
}

/** The zones of a provider connection that are mirrors, with their domains as the caller may see them. */
export const mirrorZonesOf = (db: Executor, principal: Principal, providerConfigId: string) =>
  db
    .selectFrom('mirrors')
    .innerJoin('domains', 'domains.id', 'mirrors.domain_id')
    .select(['mirrors.zone_id', 'domains.id', 'domains.owner_id', grantsOf(principal).as('grants')])
    .where('mirrors.provider_config_id', '=', providerConfigId)
    .execute()

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

/** Owner name and provider configuration of a domain; foreign keys guarantee both. */
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

/** Stores the SOA as read from the provider. */
export const storeSoa = (db: Executor, id: string, soa: Soa | null) =>
  db.updateTable('domains').set({ soa }).where('id', '=', id).execute()

/** The same, unless the domain was switched to another zone while the SOA was read. */
export const storeSoaOf = (
  db: Executor,
  { id, provider_config_id, zone_id }: Pick<DomainRow, 'id' | 'provider_config_id' | 'zone_id'>,
  soa: Soa,
) =>
  db
    .updateTable('domains')
    .set({ soa })
    .where('id', '=', id)
    .where('provider_config_id', '=', provider_config_id)
    .where('zone_id', '=', zone_id)
    .execute()

export const deleteDomain = (db: Executor, id: string) =>
  db.deleteFrom('domains').where('id', '=', id).execute()

/** Locks the visible domains among these, in id order. */
export const lockDomains = (db: Executor, principal: Principal, ids: string[]) =>
  db
    .selectFrom('domains')
    .select(DOMAINS)
    .where('id', '=', anyOf(ids))
    .where(visibleTo(principal))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Applies the same settings to many domains; changed reminders recompute each `expiring_at`. */
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
        // If it was already on, the next look-up keeps its due time.
        expiry_check_due_at: autoCheckExpiry
          ? sql<Date>`case when auto_check_expiry then expiry_check_due_at else now() end`
          : null,
      }),
      updated_at: sql`now()`,
    })
    .where('id', '=', anyOf(ids))
    .returning(['name', 'tags'])
    .execute()
}

/** Sets the owner of a domain that the caller has locked. */
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

/** Transfers all domains of one user to another and returns their ids; locks them in id order. */
export async function giveDomains(db: Executor, from: string, to: string): Promise<string[]> {
  const rows = await db
    .with('owned', (cte) =>
      cte.selectFrom('domains').select('id').where('owner_id', '=', from).orderBy('id').forNoKeyUpdate(),
    )
    .updateTable('domains')
    .set({ owner_id: to })
    .where('id', 'in', (eb) => eb.selectFrom('owned').select('id'))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

interface SeenRecords {
  record_count: number
  unmanaged_count: number
  record_version: number
}

/** Counts visible records and unmanaged records of a domain. */
export function countRecordsInScope(
  db: Executor,
  domainId: string,
  scope: RecordScope,
): Promise<SeenRecords> {
  const count = sql<number>`count(*)::int`
  const unmanaged = db
    .selectFrom('unmanaged_records as records')
    .select(count.as('count'))
    .where('domain_id', '=', domainId)
    .where((eb) => eb.and(recordsInScope(scope)))
  return db
    .selectFrom('records')
    .select([count.as('record_count'), VERSION.as('record_version')])
    .select(sql<number>`(${unmanaged})`.as('unmanaged_count'))
    .where('domain_id', '=', domainId)
    .where((eb) => eb.and(recordsInScope(scope)))
    .executeTakeFirstOrThrow()
}

/**
 * Updates the list totals and versions of all users with access to these domains; a cached filter count is valid for one
 * version. `totals`: change in the number of owned domains by user, 0 if only what they see changed. Delegates are
 * found here. Call it last in the transaction, because all writers share the row of EVERYONE.
 */
export async function touchLists(
  db: Executor,
  totals: ReadonlyMap<string, number>,
  domainIds: readonly string[],
): Promise<void> {
  const counts = [...totals.values()]
  const touched = sql<{ viewer: string; count: number }>`(
    select * from unnest(${[...totals.keys()]}::uuid[], ${counts}::int[])
    union all select ${EVERYONE}::uuid, ${counts.reduce((sum, count) => sum + count, 0)}::int
    union all select user_id, 0 from assignments where domain_id = any(${domainIds}::uuid[])
  )`
  await db
    .insertInto('domain_lists')
    .columns(['viewer', 'total', 'version'])
    .expression((eb) =>
      eb
        .selectFrom(touched.as<'touched'>(sql`touched (viewer, count)`))
        .select(['viewer', sql<number>`sum(count)::int`.as('total'), sql.lit(1).as('version')])
        .groupBy('viewer')
        .orderBy('viewer'),
    )
    .onConflict((on) =>
      on.column('viewer').doUpdateSet((eb) => ({
        total: eb('domain_lists.total', '+', eb.ref('excluded.total')),
        version: eb('domain_lists.version', '+', 1),
      })),
    )
    .execute()
}

/** Raises the list version of users whose visible, but not owned, domains change. */
export async function touchListsOf(db: Executor, userIds: readonly string[]): Promise<void> {
  const viewers = sql<{ viewer: string }>`unnest(${userIds}::uuid[])`.as<'touched'>(sql`touched (viewer)`)
  await db
    .insertInto('domain_lists')
    .columns(['viewer', 'total', 'version'])
    .expression((eb) =>
      eb
        .selectFrom(viewers)
        .select(['viewer', sql.lit(0).as('total'), sql.lit(1).as('version')])
        .orderBy('viewer'),
    )
    .onConflict((on) =>
      on.column('viewer').doUpdateSet((eb) => ({ version: eb('domain_lists.version', '+', 1) })),
    )
    .execute()
}

export const countTags = (db: Executor, principal: Principal) =>
  db
    .selectFrom([domainsOf(principal), sql<{ tag: string }>`unnest(tags)`.as<'tag'>(sql`tag`)])
    .select(['tag as name', sql<number>`count(*)::int`.as('count')])
    .groupBy('tag')
    .orderBy('tag')
    .execute()

export const countGroups = (db: Executor, principal: Principal) =>
  db
    .selectFrom(domainsOf(principal))
    .select(['group_name as name', sql<number>`count(*)::int`.as('count')])
    .where('group_name', '<>', '')
    .groupBy('group_name')
    .orderBy('group_name')
    .execute()
