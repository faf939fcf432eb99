import type { Kysely } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Database } from '../../../db/tables/index.ts'
import { memberKey, rrsetKey, type RRsetKey } from '../../../dns/names/rrset.ts'
import { SYSTEM } from '../../../plugins/security/access/index.ts'
import { recordAudit } from '../../audit/service.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import { connectionOf, zoneOf } from '../../domains/service.ts'
import type { RecordContext } from '../context.ts'
import { providerFailure } from '../../providers/errors.ts'
import type { RecordContent, RecordState, SetKey } from '../plan/change.ts'
import { announceDifferences } from './drift/announce.ts'
import { lockDomain } from '../apply/journal/journal-queries.ts'
import { correctByLateWrites } from '../reconcile/late-writes.ts'
import { toState } from '../list/mapper.ts'
import { readSets } from '../apply/provider/provider-reads.ts'
import { currentPosition, namesTouchedSince, recordsOfNames, type ChangePosition } from '../list/queries.ts'
import { chunksOf, differencesOf, type Differences } from './sync-differences.ts'
import { foundIn, readProvider, type Found } from './sync-provider.ts'
import { isServedFrom } from './sync-queries.ts'
import { storeDifferences } from './sync-store.ts'
import { READ_BUDGETS, withZoneMemory } from './zone-memory.ts'

/**
 * Reads RRsets at the provider and stores unknown values as drift, like a sync, so that a write of a whole RRset knows all
 * values to remove. Deletes nothing here. Returns the stored values. Rejects with AppError when the provider can't be asked.
 */
export async function adoptSets(
  context: RecordContext,
  domain: DomainRow,
  keys: readonly SetKey[],
  isWanted: (content: RecordContent) => boolean = () => true,
): Promise<RecordContent[]> {
  const connection = await connectionOf(context, domain)
  if (keys.length === 0 || connection.provider.capabilities.truth === 'local') return []
  const since = await currentPosition(context.db)
  const rrsets = await readSets(connection, zoneOf(domain), keys).catch((error: unknown) => {
    throw providerFailure(error)
  })
  const found = new Map([...rrsets.values()].flatMap((rrset) => (rrset ? foundIn(rrset) : [])))
  if (found.size === 0) return []
  const names = [...new Set(keys.map(({ name }) => name))]
  return storeUnknown(context.db, domain, { found, since, isWanted }, async function* (trx) {
    const rows = await recordsOfNames(trx, domain.id, names)
    yield rows.filter((row) => rrsets.has(rrsetKey(row))).map(toState)
  })
}

/** Does the same for the whole zone. */
export async function adoptZone(context: RecordContext, domain: DomainRow): Promise<RecordContent[]> {
  if ((await connectionOf(context, domain)).provider.capabilities.truth === 'local') return []
  const room = { budgets: READ_BUDGETS.request, waitMs: context.providerLimits.budgetMs / 2 }
  return withZoneMemory(context, domain, room, async (limits) => {
    const connection = await connectionOf(context, domain, { limits })
    const since = await currentPosition(context.db)
    const { records: found } = await readProvider(connection, zoneOf(domain))
    const there = { found, since, isWanted: () => true }
    return storeUnknown(context.db, domain, there, (trx) => chunksOf(trx, domain.id))
  }).catch((error: unknown) => {
    throw providerFailure(error)
  })
}

interface There {
  found: ReadonlyMap<string, Found>
  since: ChangePosition
  isWanted: (content: RecordContent) => boolean
}

async function storeUnknown(
  db: Kysely<Database>,
  domain: DomainRow,
  { found, since, isWanted }: There,
  readHere: (trx: Executor) => AsyncIterable<RecordState[]>,
): Promise<RecordContent[]> {
  return db.transaction().execute(async (trx) => {
    await lockDomain(trx, domain.id)
    // The domain was switched while its old provider was read.
    if (!(await isServedFrom(trx, domain))) return []
    const touched = await namesTouchedSince(trx, domain.id, since)
    const all = await differencesOf(readHere(trx), found, touched)
    const rest = await correctByLateWrites(trx, domain, all)
    const unknown = await storable(trx, domain.id, {
      ...rest,
      created: rest.created.filter(({ content }) => isWanted(content)),
      // Only other values; a TTL that differs is left to a sync.
      updated: rest.updated.filter(
        ({ before, found: { content } }) => memberKey(before) !== memberKey(content) && isWanted(content),
      ),
      deleted: [],
    })
    const { created, updated } = unknown
    if (created.length + updated.length === 0) return []
    const changeId = await storeDifferences(
      trx,
      { domainId: domain.id, actor: SYSTEM, source: 'sync', changedOutside: domain.last_synced_at !== null },
      unknown,
    )
    await recordAudit(trx, SYSTEM, {
      action: 'domain.synced',
      target: { type: 'domain', id: domain.id, name: domain.name },
      after: { changeId, created: created.length, updated: updated.length, deleted: 0 },
    })
    // Nothing is drift in the first import of a zone.
    if (domain.last_synced_at !== null) await announceDifferences(trx, domain, unknown, { applied: true })
    return [...created.map(({ content }) => content), ...updated.map((one) => one.found.content)]
  })
}

/** Drops records that can't be stored next to those here, a CNAME and others. A sync of the whole zone resolves that. */
async function storable(trx: Executor, domainId: string, differences: Differences): Promise<Differences> {
  const { created, updated } = differences
  const coming = [...created, ...updated.map(({ found }) => found)].map(({ content }) => content)
  const names = [...new Set(coming.map(({ name }) => name))]
  const going = new Set(updated.map(({ id }) => id))
  const here = names.length === 0 ? [] : await recordsOfNames(trx, domainId, names)
  const place = ({ name, routing }: RRsetKey) => `${name} ${routing?.key ?? ''}`
  const served = [...here.filter(({ id }) => !going.has(id)), ...coming].filter(({ enabled }) => enabled)
  const crowded = new Set(
    [...Map.groupBy(served, place)]
      .filter(([, records]) => records.length > 1 && records.some(({ type }) => type === 'CNAME'))
      .map(([key]) => key),
  )
  const fits = ({ content }: Found) => !content.enabled || !crowded.has(place(content))
  return {
    ...differences,
    created: created.filter(fits),
    updated: updated.filter(({ found }) => fits(found)),
  }
}
