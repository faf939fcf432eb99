import type { Kysely } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { violates } from '../../db/connection/errors.ts'
import type { Database } from '../../db/tables/index.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { forbidden, invalid, notFound } from '../../plugins/http/errors.ts'
import { donePart, keepPart, reliesOn } from '../../plugins/http/idempotency/key.ts'
import { requireMatch } from '../../plugins/http/if-match.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import type { Domain } from '../../schemas/domain.ts'
import { differences, recordAudit } from '../audit/service.ts'
import { openConnection, type ProviderConnection } from '../providers/traffic/connection.ts'
import type { Zone } from '../providers/contract.ts'
import type { ProviderConfigRow } from '../providers/configs/service.ts'
import {
  EVERYTHING,
  isSufficient,
  recordScopeOf,
  requireDomain,
  seesAllRecords,
  type DomainRow,
  type RecordScope,
} from './access/access.ts'
import { assigneesOf } from './access/assigned-queries.ts'
import type { DomainContext } from './context.ts'
import { refuseMirrored, registered } from './registration/hosting.ts'
import { identityChanges, readIdentity, type GivenIdentity } from './registration/identity.ts'
import { toDomain } from './mapper.ts'
import { holdName, proveName, tellNamesakes } from './registration/namesakes.ts'
import { newRow } from './registration/new-row.ts'
import {
  countRecordsInScope,
  deleteDomain,
  findByName,
  insertDomain,
  lockDomains,
  touchLists,
  updateDomain,
  namesOf,
  updateDomains,
} from './queries.ts'
import { changedColumns, descending, distinct, type BulkSettings, type DomainSettings } from './settings.ts'
import { MAX_TAGS } from './schemas.ts'
import { deleteZoneOf, findOrCreateZone } from './registration/zones.ts'

export type { DomainContext } from './context.ts'
export { DAY_MS, daysBetween } from './expiry/dates.ts'
export { countByStatus } from './list.ts'
export { giveDomain } from './registration/ownership.ts'
export * from './registration/transfer-queries.ts'
export { expireTransfers, transferMetadata } from './registration/transfers.ts'
export { storeSoa, touchListsOf } from './queries.ts'
export { nearestTtl } from './registration/default-ttl.ts'
export { moveDomain, refuseRegistered } from './registration/hosting.ts'
export { holdName, proveName } from './registration/namesakes.ts'
export { registerZones } from './registration/many-zones.ts'
export {
  connectionOf,
  createZone,
  findZone,
  requireCreatable,
  zoneMissing,
  zoneOf,
} from './registration/zones.ts'

interface NewDomain extends DomainSettings {
  name: string
  providerConfigId: string
  /** Selects one of several zones with the name. */
  zoneId?: string
  createZone?: boolean
  /** Rejects with 409 if the provider has the zone already. */
  onlyNew?: boolean
  /** Canonical names of the name servers of a zone that is created. */
  nameServers?: string[]
}

export async function readDomain(
  { db }: Pick<DomainContext, 'db'>,
  caller: Caller,
  id: string,
): Promise<Domain> {
  const row = await requireDomain(db, caller, id, 'read')
  const scope = recordScopeOf(row, caller)
  const names = await namesOf(db, row)
  if (seesAllRecords(scope)) return toDomain(row, names, caller)
  const counts = await countRecordsInScope(db, id, scope)
  return toDomain({ ...row, ...counts }, names, caller)
}

/** Version of the records visible in that scope. */
export const seenVersion = async (
  db: Executor,
  { id, record_version: version }: Pick<DomainRow, 'id' | 'record_version'>,
  scope: RecordScope,
): Promise<number> =>
  seesAllRecords(scope) ? version : (await countRecordsInScope(db, id, scope)).record_version

/**
 * Registers a domain with a provider configuration of the caller; the zone must exist or is created. Returns the domain
 * that an earlier run of the same request registered.
 */
export async function createDomain(
  context: DomainContext,
  caller: Caller,
  input: NewDomain,
): Promise<Domain> {
  const { db } = context
  const made = donePart(caller, partOf(input))
  if (made !== undefined) return readDomain(context, caller, made as string)
  const { name, config, errors } = await readIdentity(db, caller, input)
  if (name === null || config === null) throw invalid(...errors)
  if (await findByName(db, config.id, name, input.zoneId)) throw alreadyRegistered(name)
  // Checked before calling the provider, so that a refused name creates no zone.
  const isProven = await proveName(context, caller, name)
  const connection = openConnection(context, config)
  const { zoneId, createZone: create = false, onlyNew, nameServers } = input
  const zone = await findOrCreateZone(connection, config, name, { zoneId, create, onlyNew, nameServers })
  const row = await storeDomain(context, caller, { ...input, name }, { config, connection, zone, isProven })
  return toDomain(row, await namesOf(db, row), caller)
}

/** Key of one registration within a request with an Idempotency-Key. */
const partOf = ({ name, zoneId = '' }: NewDomain) => `domain ${name.toLowerCase()} ${zoneId}`

/** Zone of a new domain; `isProven`: the caller has proved control of the name. */
interface ZoneSource {
  config: ProviderConfigRow
  connection: ProviderConnection
  zone: Zone
  isProven: boolean
}

async function storeDomain(
  context: DomainContext,
  caller: Caller,
  input: NewDomain,
  { config, connection, zone, isProven }: ZoneSource,
): Promise<DomainRow> {
  const { provider } = connection
  try {
    return await context.db.transaction().execute(async (trx) => {
      const namesakes = await holdName(trx, context, caller, { name: input.name, isProven })
      await refuseMirrored(trx, { config, zone })
      const row = await insertDomain(trx, newRow(caller, input, { provider, config, zone }))
      await recordAudit(trx, caller, {
        action: 'domain.created',
        target: { type: 'domain', id: row.id, name: row.name },
        after: {
          name: row.name,
          providerConfigId: config.id,
          zoneCreated: input.createZone ?? false,
          ...(namesakes.length > 0 && { overlaps: true }),
        },
      })
      await touchLists(trx, new Map([[caller.userId, 1]]), [row.id])
      await announce(trx, 'domain.created', {
        metadata: { domainId: row.id, domainName: row.name },
        actorId: caller.userId,
      })
      await tellNamesakes(trx, caller, row.name, namesakes)
      reliesOn(caller, { domainId: row.id, need: 'read', sight: EVERYTHING })
      await keepPart(trx, caller, partOf(input), row.id)
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
  input: DomainSettings & GivenIdentity,
): Promise<Domain> {
  return db.transaction().execute(async (trx) => {
    const row = await requireDomain(trx, caller, id, 'manage', { lock: true })
    await requireMatch(caller, () => readDomain({ db: trx }, caller, id))
    const errors = identityChanges(row, input)
    if (errors.length > 0) throw invalid(...errors)
    const updated = await updateDomain(trx, id, changedColumns(row, input))
    const names = await namesOf(trx, row)
    const [before, after] = [toDomain(row, names, caller), toDomain(updated, names, caller)]
    await recordAudit(trx, caller, {
      action: 'domain.updated',
      target: { type: 'domain', id, name: row.name },
      ...differences(before, { ...after, updatedAt: before.updatedAt }),
    })
    await touchLists(trx, new Map([[row.owner_id, 0]]), [id])
    return after
  })
}

/** Applies the same settings to many domains, or to none if one can't be changed. */
export async function updateManyDomains(
  { db }: DomainContext,
  caller: Caller,
  given: string[],
  set: BulkSettings,
): Promise<{ updated: number }> {
  // Ids in the database are lower case.
  const ids = given.map((id) => id.toLowerCase())
  return db.transaction().execute(async (trx) => {
    const rows = await lockDomains(trx, caller, ids)
    const missing = ids.find((id) => !rows.some((row) => row.id === id))
    if (missing !== undefined) throw notFound('domain', missing)
    const foreign = rows.find((row) => !isSufficient(row, caller, 'manage'))
    if (foreign) throw forbidden(`Your permission on ${foreign.name} does not allow this`)
    const updated = await updateDomains(trx, ids, {
      ...set,
      ...(set.tags && { tags: distinct(set.tags) }),
      ...(set.addTags && { addTags: distinct(set.addTags) }),
      ...(set.removeTags && { removeTags: distinct(set.removeTags) }),
      ...(set.expiryRemindDays && { expiryRemindDays: descending(set.expiryRemindDays) }),
    })
    const full = updated.find(({ tags }) => tags.length > MAX_TAGS)
    if (full)
      throw invalid({
        path: '/set/addTags',
        code: 'too_many_tags',
        message: `${full.name} would have over ${MAX_TAGS} tags`,
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

/** Removes the domain; `deleteZone` first deletes the zone at the provider, so that a failure changes nothing. */
export async function removeDomain(
  context: DomainContext,
  caller: Caller,
  id: string,
  { deleteZone }: { deleteZone: boolean },
): Promise<void> {
  const { db } = context
  const hold = async (trx: Kysely<Database>) => {
    const row = await requireDomain(trx, caller, id, 'manage', { lock: true })
    await requireMatch(caller, () => readDomain({ db: trx }, caller, id))
    return row
  }
  if (deleteZone) await deleteZoneOf(context, await db.transaction().execute(hold))
  await db.transaction().execute(async (trx) => {
    // The zone is deleted, so the domain is removed even if it changed since.
    const row = deleteZone ? await requireDomain(trx, caller, id, 'manage', { lock: true }) : await hold(trx)
    // Read before permissions are deleted with the domain.
    const assignees = await assigneesOf(trx, [id])
    await deleteDomain(trx, id)
    await recordAudit(trx, caller, {
      action: 'domain.deleted',
      target: { type: 'domain', id, name: row.name },
      before: { name: row.name, recordCount: row.record_count, zoneDeleted: deleteZone },
    })
    const viewers = new Map([...assignees.map((userId) => [userId, 0] as const), [row.owner_id, -1]])
    await touchLists(trx, viewers, [])
    await announce(trx, 'domain.deleted', {
      metadata: { domainId: id, domainName: row.name },
      actorId: caller.userId,
      userIds: [...viewers.keys()],
      belonged: { groupName: row.group_name, tags: row.tags },
    })
  })
}

const alreadyRegistered = (name: string) => registered(name, '/name')
