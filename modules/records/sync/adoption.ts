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
import { announceDifferences } from './drift.ts'
import { lockDomain } from '../apply/journal/journal-queries.ts'
import { correctByLateWrites } from '../reconcile/late-writes.ts'
import { toState } from '../list/mapper.ts'
import { readSets } from '../apply/provider/provider-reads.ts'
import { currentPosition, namesTouchedSince, recordsOfNames, type ChangePosition } from '../list/queries.ts'
import { chunksOf, differencesOf, type Differences } from './sync-differences.ts'
import { foundIn, readProvider, type Found } from './sync-provider.ts'
import { isServedFrom } from './sync-queries.ts'
import { storeDifferences } from './sync-store.ts'
import { BUDGETS, withZoneMemory } from './zone-memory.ts'

/**
 * Reads these sets at the provider and stores the values that are not known here as drift, as a sync does: so a write of a
 * whole set knows all that has to go. Nothing is deleted here by it. Answers what was stored. Rejects with AppError when
 * the provider can't be asked.
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

/** The same of the whole zone. */
export async function adoptZone(context: RecordContext, domain: DomainRow): Promise<RecordContent[]> {
  if ((await connectionOf(context, domain)).provider.capabilities.truth === 'local') return []
  const room = { budgets: BUDGETS.byHand, waitMs: context.providerLimits.budgetMs / 2 }
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
    // It was switched while its old provider was being read.
    if (!(await isServedFrom(trx, domain))) return []
    const touched = await namesTouchedSince(trx, domain.id, since)
    const all = await differencesOf(readHere(trx), found, touched)
    const rest = await correctByLateWrites(trx, domain, all)
    const unknown = await storable(trx, domain.id, {
      ...rest,
      created: rest.created.filter(({ content }) => isWanted(content)),
      // A record that has another value there. What differs in its TTL alone is for a sync.
      updated: rest.updated.filter(
        ({ before, found: { content } }) => memberKey(before) !== memberKey(content) && isWanted(content),
      ),
      deleted: [],
    })
    const { created, updated } = unknown
    if (created.length + updated.length === 0) return []
    const changeId = await storeDifferences(
      trx,
      { domainId: domain.id, actor: SYSTEM, source: 'sync' },
      unknown,
    )
    await recordAudit(trx, SYSTEM, {
      action: 'domain.synced',
      target: { type: 'domain', id: domain.id, name: domain.name },
      after: { changeId, created: created.length, updated: updated.length, deleted: 0 },
    })
    // The first reading of a zone is no change of it.
    if (domain.last_synced_at !== null) await announceDifferences(trx, domain, unknown, { applied: true })
    return [...created.map(({ content }) => content), ...updated.map((one) => one.found.content)]
  })
}

/** Without what can't be beside the records here: a CNAME and something else. A sync of the whole zone decides on that. */
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
