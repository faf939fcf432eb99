import type { Kysely, Updateable } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { violates } from '../../db/errors.ts'
import type { Executor } from '../../db/connect.ts'
import type { Database, DomainsTable } from '../../db/tables.ts'
import { parseDomainName, toUnicodeName } from '../../dns/names.ts'
import type { Caller, Principal } from '../../plugins/access/index.ts'
import { conflict, forbidden, invalid, notFound } from '../../plugins/errors.ts'
import type { EventBus } from '../../plugins/events.ts'
import type { Domain, DomainStatus } from '../../schemas/domain.ts'
import { differences, recordAudit } from '../audit/service.ts'
import { openConnection, type ProviderConnection, type ProviderContext } from '../providers/connection.ts'
import type { Zone } from '../providers/contract.ts'
import { providerFailure } from '../providers/errors.ts'
import { findConfig, findConfigById, visibleConfig, type ProviderConfigRow } from '../providers/service.ts'
import { isSufficient, recordScopeOf, requireDomain, type DomainRow } from './access.ts'
import { assigneesOf } from './assigned.ts'
import { autoCheckColumns, expiryColumns } from './expiry/dates.ts'
import { listDomains } from './list.ts'
import { toDomain } from './mapper.ts'
import {
  countGroups,
  countRecordsInScope,
  countTags,
  deleteDomain,
  findByName,
  insertDomain,
  lockDomains,
  namesOfConfig,
  touchLists,
  updateDomain,
  updateDomains,
} from './queries.ts'

export { touchListsOf } from './queries.ts'

/** What managing domains needs of the app. */
export interface DomainContext extends ProviderContext {
  db: Kysely<Database>
  events: EventBus
}

export interface DomainSettings {
  expiresAt?: string | null
  groupName?: string
  tags?: string[]
  notes?: string
  expiryRemindDays?: number[]
  autoCheckExpiry?: boolean
  defaultTtl?: number
  /** Minutes; null: none. */
  syncInterval?: number | null
}

export interface NewDomain extends DomainSettings {
  name: string
  providerConfigId: string
  createZone?: boolean
}

const DEFAULT_REMIND_DAYS = [30, 14, 7, 1]
const DEFAULT_TTL = 3600

export async function readDomain({ db }: DomainContext, caller: Caller, id: string): Promise<Domain> {
  const row = await requireDomain(db, caller, id, 'read')
  if (isSufficient(row, caller, 'readAll')) return toDomain(row, caller)
  const count = await countRecordsInScope(db, id, recordScopeOf(row, caller))
  return toDomain({ ...row, record_count: count }, caller)
}

/** Registers a domain with a configuration of the caller's; its zone must be at the provider, or is made there. */
export async function createDomain(
  context: DomainContext,
  caller: Caller,
  input: NewDomain,
): Promise<Domain> {
  const { db, events } = context
  const name = checkName(input.name)
  const config = await findConfig(db, caller, input.providerConfigId)
  if (!config)
    throw invalid({ path: '/providerConfigId', message: 'is none of your provider configurations' })
  if (await findByName(db, config.id, name)) throw alreadyRegistered(name)
  const connection = openConnection(context, config)
  const zone = await findOrCreateZone(connection, name, input.createZone ?? false)
  const row = await storeDomain(context, caller, { ...input, name }, { config, connection, zone })
  events.emit('domain.created', {
    metadata: { domainId: row.id, domainName: name },
    actorId: caller.userId,
  })
  return toDomain(row, caller)
}

async function storeDomain(
  { db }: DomainContext,
  caller: Caller,
  input: NewDomain,
  { config, connection, zone }: { config: ProviderConfigRow; connection: ProviderConnection; zone: Zone },
): Promise<DomainRow> {
  const { id: providerId, capabilities } = connection.provider
  const remindDays = input.expiryRemindDays ?? DEFAULT_REMIND_DAYS
  const defaultTtl = Math.min(
    Math.max(input.defaultTtl ?? DEFAULT_TTL, capabilities.minTtl),
    capabilities.maxTtl,
  )
  try {
    return await db.transaction().execute(async (trx) => {
      const row = await insertDomain(trx, {
        id: uuidv7(),
        name: input.name,
        unicode_name: toUnicodeName(input.name),
        provider_id: providerId,
        provider_config_id: config.id,
        zone_id: zone.id,
        owner_id: caller.userId,
        group_name: input.groupName ?? '',
        tags: distinct(input.tags ?? []),
        notes: input.notes ?? '',
        ...expiryColumns(dateOf(input.expiresAt ?? null), 'manual', remindDays),
        expiry_remind_days: descending(remindDays),
        ...autoCheckColumns(input.autoCheckExpiry ?? false),
        default_ttl: defaultTtl,
        ...automaticSync(input.syncInterval ?? null),
        name_servers: [],
      })
      await recordAudit(trx, caller, {
        action: 'domain.created',
        target: { type: 'domain', id: row.id, name: row.name },
        after: { name: row.name, providerConfigId: config.id, zoneCreated: input.createZone ?? false },
      })
      await touchLists(trx, new Map([[caller.userId, 1]]), [row.id])
      return row
    })
  } catch (error) {
    if (violates(error, 'unique')) throw alreadyRegistered(input.name)
    throw error
  }
}

export async function updateDomainSettings(
  { db }: DomainContext,
  caller: Caller,
  id: string,
  input: DomainSettings & { name?: string; providerConfigId?: string },
): Promise<Domain> {
  return db.transaction().execute(async (trx) => {
    const row = await requireDomain(trx, caller, id, 'manage', { lock: true })
    refuseIdentityChange(row, input)
    const updated = await updateDomain(trx, id, changedColumns(row, input))
    const [before, after] = [toDomain(row, caller), toDomain(updated, caller)]
    await recordAudit(trx, caller, {
      action: 'domain.updated',
      target: { type: 'domain', id, name: row.name },
      ...differences(before, { ...after, updatedAt: before.updatedAt }),
    })
    await touchLists(trx, new Map([[row.owner_id, 0]]), [id])
    return after
  })
}

/** Sets group, tags or reminders of many domains at once; all or, when one can't be changed, none. */
export async function updateManyDomains(
  { db }: DomainContext,
  caller: Caller,
  given: string[],
  set: Pick<DomainSettings, 'groupName' | 'tags' | 'expiryRemindDays'>,
): Promise<{ updated: number }> {
  // Those of the database are in lower case.
  const ids = given.map((id) => id.toLowerCase())
  return db.transaction().execute(async (trx) => {
    const rows = await lockDomains(trx, caller, ids)
    const missing = ids.find((id) => !rows.some((row) => row.id === id))
    if (missing !== undefined) throw notFound('domain', missing)
    const foreign = rows.find((row) => !isSufficient(row, caller, 'manage'))
    if (foreign) throw forbidden(`Your access to ${foreign.name} does not allow this`)
    await updateDomains(trx, ids, {
      ...(set.groupName !== undefined && { group_name: set.groupName }),
      ...(set.tags !== undefined && { tags: distinct(set.tags) }),
      ...(set.expiryRemindDays !== undefined && { expiry_remind_days: descending(set.expiryRemindDays) }),
    })
    await recordAudit(trx, caller, {
      action: 'domain.bulk_updated',
      target: { type: 'domain', id: null, name: null },
      after: { ids, ...set },
    })
    await touchLists(trx, new Map(rows.map((row) => [row.owner_id, 0])), ids)
    return { updated: rows.length }
  })
}

/** Removes the domain here; with `deleteZone` first at the provider, so that a failure there changes nothing. */
export async function removeDomain(
  context: DomainContext,
  caller: Caller,
  id: string,
  { deleteZone }: { deleteZone: boolean },
): Promise<void> {
  const { db, events } = context
  const domain = await requireDomain(db, caller, id, 'manage')
  if (deleteZone) await deleteZoneOf(context, domain)
  const deleted = await db.transaction().execute(async (trx) => {
    const row = await requireDomain(trx, caller, id, 'manage', { lock: true })
    // They go with the domain.
    const assignees = await assigneesOf(trx, [id])
    await deleteDomain(trx, id)
    await recordAudit(trx, caller, {
      action: 'domain.deleted',
      target: { type: 'domain', id, name: row.name },
      before: { name: row.name, recordCount: row.record_count, zoneDeleted: deleteZone },
    })
    const seers = new Map([...assignees.map((userId) => [userId, 0] as const), [row.owner_id, -1]])
    await touchLists(trx, seers, [])
    return { name: row.name, seers }
  })
  events.emit('domain.deleted', {
    metadata: { domainId: id, domainName: deleted.name },
    actorId: caller.userId,
    userIds: [...deleted.seers.keys()],
  })
}

async function deleteZoneOf(context: DomainContext, domain: DomainRow): Promise<void> {
  const connection = await connectionOf(context, domain)
  if (!connection.provider.capabilities.deleteZone) {
    throw invalid({ path: '/deleteZone', message: `${connection.provider.name} can't delete zones` })
  }
  await connection.call((adapter) => adapter.deleteZone(zoneOf(domain))).catch(throwProviderFailure)
}

/** How many domains the caller sees, by status. */
export async function countByStatus(db: Executor, principal: Principal) {
  const count = async (status?: DomainStatus) => {
    const first = { page: 1, limit: 1, sort: 'name', order: 'asc' } as const
    return (await listDomains(db, principal, { ...first, ...(status && { status }) })).total
  }
  const [total, expiring, expired] = await Promise.all([count(), count('expiring'), count('expired')])
  // Each is exact, of moments that differ a little.
  return { total, active: Math.max(0, total - expiring - expired), expiring, expired }
}

export const listTags = async ({ db }: DomainContext, caller: Caller) => ({
  tags: (await countTags(db, caller)).rows,
})

export const listGroups = async ({ db }: DomainContext, caller: Caller) => ({
  groups: (await countGroups(db, caller)).rows,
})

/** The zones at the provider, and which of them are domains here already. */
export async function listZones(context: DomainContext, caller: Caller, configId: string) {
  const config = await visibleConfig(context.db, caller, configId)
  const zones = await openConnection(context, config)
    .call((adapter) => adapter.listZones())
    .catch(throwProviderFailure)
  const domains = new Map((await namesOfConfig(context.db, configId)).map(({ id, name }) => [name, id]))
  return {
    zones: zones
      .map(({ name }) => ({
        name,
        unicodeName: toUnicodeName(name),
        registered: domains.has(name),
        domainId: domains.get(name) ?? null,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  }
}

/** The account in which the domain's zone is. */
export async function connectionOf(
  context: DomainContext,
  domain: Pick<DomainRow, 'provider_config_id'>,
): Promise<ProviderConnection> {
  const config = await findConfigById(context.db, domain.provider_config_id)
  // The foreign key keeps the configuration as long as the domain is there.
  if (!config) throw notFound('provider configuration', domain.provider_config_id)
  return openConnection(context, config)
}

export const zoneOf = (domain: Pick<DomainRow, 'zone_id' | 'name'>): Zone => ({
  id: domain.zone_id,
  name: domain.name,
})

function checkName(input: string): string {
  const parsed = parseDomainName(input)
  if (!parsed.ok) throw invalid({ path: '/name', message: parsed.reason })
  return parsed.name
}

async function findOrCreateZone(
  connection: ProviderConnection,
  name: string,
  create: boolean,
): Promise<Zone> {
  const found = await connection.call((adapter) => adapter.findZone(name)).catch(throwProviderFailure)
  if (found) return found
  const { name: providerName, capabilities } = connection.provider
  if (!create) {
    const hint = capabilities.createZone ? '; "createZone": true creates it' : ''
    throw invalid({ path: '/name', message: `is no zone at ${providerName} under this configuration${hint}` })
  }
  if (!capabilities.createZone)
    throw invalid({ path: '/createZone', message: `is not possible at ${providerName}` })
  return connection.call((adapter) => adapter.createZone(name)).catch(throwProviderFailure)
}

function throwProviderFailure(error: unknown): never {
  throw providerFailure(error)
}

/** A domain keeps its name and configuration for life; a client may send them back as they are. */
function refuseIdentityChange(row: DomainRow, input: { name?: string; providerConfigId?: string }): void {
  if (input.name !== undefined && checkName(input.name) !== row.name) {
    throw invalid({ path: '/name', message: 'can not change' })
  }
  if (
    input.providerConfigId !== undefined &&
    input.providerConfigId.toLowerCase() !== row.provider_config_id
  ) {
    throw invalid({ path: '/providerConfigId', message: 'can not change' })
  }
}

function changedColumns(row: DomainRow, input: DomainSettings): Updateable<DomainsTable> {
  const remindDays = input.expiryRemindDays ?? row.expiry_remind_days
  const dated = input.expiresAt !== undefined || input.expiryRemindDays !== undefined
  const expiresAt = input.expiresAt === undefined ? row.expires_at : dateOf(input.expiresAt)
  // Sending the date back that was looked up does not make it a manual one.
  const source = expiresAt?.getTime() === row.expires_at?.getTime() ? row.expiry_source : 'manual'
  const turned = input.autoCheckExpiry !== undefined && input.autoCheckExpiry !== row.auto_check_expiry
  return {
    ...(input.groupName !== undefined && { group_name: input.groupName }),
    ...(input.tags !== undefined && { tags: distinct(input.tags) }),
    ...(input.notes !== undefined && { notes: input.notes }),
    ...(input.defaultTtl !== undefined && { default_ttl: input.defaultTtl }),
    ...(input.syncInterval !== undefined &&
      input.syncInterval !== row.sync_interval &&
      automaticSync(input.syncInterval)),
    ...(turned && autoCheckColumns(!row.auto_check_expiry)),
    ...(input.expiryRemindDays !== undefined && { expiry_remind_days: descending(remindDays) }),
    ...(dated && expiryColumns(expiresAt, source, remindDays)),
  }
}

/** The columns of automatic syncs; the first comes soon, so that who turned them on sees what they do. */
const automaticSync = (minutes: number | null) => ({
  sync_interval: minutes,
  sync_due_at: minutes === null ? null : new Date(),
})

const dateOf = (text: string | null) => (text === null ? null : new Date(text))
const distinct = (values: string[]) => [...new Set(values.map((value) => value.trim()))]
const descending = (values: number[]) => [...values].sort((a, b) => b - a)

const alreadyRegistered = (name: string) =>
  conflict(`${name} is already registered with this provider configuration`, {
    errors: [{ path: '/name', message: 'is already registered with this provider configuration' }],
  })
