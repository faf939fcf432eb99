import { rrsetKey } from '../../../dns/names/rrset.ts'
import type { NameCounts } from '../../../schemas/events/event-catalogue.ts'
import { connectionOf, zoneOf } from '../../domains/service.ts'
import type { RRset } from '../../providers/contract.ts'
import type { RecordContext } from '../context.ts'
import { ttlOfMember } from '../apply/provider/provider-contents.ts'
import { readRRsets } from '../apply/provider/provider-reads.ts'
import { currentPosition, findDomainForRecovery, namesTouchedSince, recordsOfNames } from '../list/queries.ts'
import { endRecheck, failedItems, type DueChange } from './reconcile-queries.ts'
import { toState, type RecordRow } from '../list/mapper.ts'
import { announceDrift } from '../sync/drift/announce.ts'
import { lockDomain } from '../apply/journal/journal-queries.ts'
import { correctByLateWrites } from './late-writes.ts'
import { differencesOf } from '../sync/sync-differences.ts'
import { foundIn } from '../sync/sync-provider.ts'

/**
 * Asks the provider once more about a change that counts as failed. Steps that were applied late correct the history; other
 * differences are announced as drift, and nothing else changes here. Rejects with ProviderError when the provider can't be
 * asked.
 */
export async function reconcileGivenUp(context: RecordContext, change: DueChange): Promise<void> {
  const { db } = context
  const [domain, items] = await Promise.all([
    findDomainForRecovery(db, change.domain_id),
    failedItems(db, change.id),
  ])
  // The domain and its changes were deleted in the meantime.
  if (!domain) return
  const since = await currentPosition(db)
  const rrsets = await readRRsets(await connectionOf(context, domain), zoneOf(domain), items)
  const names = items.flatMap(({ before, after }) =>
    [before, after].flatMap((content) => content?.name ?? []),
  )
  await db.transaction().execute(async (trx) => {
    await lockDomain(trx, domain.id)
    if (!(await endRecheck(trx, change.id))) return
    // Names changed while the provider was read are not differences.
    const touched = await namesTouchedSince(trx, domain.id, since)
    const readHere = async () =>
      (await recordsOfNames(trx, domain.id, names)).filter(({ name }) => !touched.has(name))
    const concerned = (await readHere()).filter((record) => rrsets.has(rrsetKey(record))).map(toState)
    const found = new Map([...rrsets.values()].flatMap((rrset) => (rrset ? foundIn(rrset) : [])))
    await correctByLateWrites(trx, domain, await differencesOf([concerned], found, touched))
    const counts = differencesIn(rrsets, await readHere(), touched)
    if (counts.length > 0) await announceDrift(trx, domain, counts, { applied: false })
  })
}

/** Counts the records that differ, for each RRset with differences. */
function differencesIn(
  rrsets: Map<string, RRset | null>,
  here: RecordRow[],
  touched: Set<string>,
): NameCounts[] {
  const records = Map.groupBy(here, rrsetKey)
  return [...rrsets].flatMap(([key, rrset]): NameCounts[] => {
    if (rrset && touched.has(rrset.name)) return []
    const ours = records.get(key) ?? []
    const left = new Map(ours.map((record) => [record.value, record]))
    let [created, updated] = [0, 0]
    for (const member of rrset?.members ?? []) {
      const { value, disabled = false } = member
      const record = left.get(value)
      left.delete(value)
      if (!record) created++
      else if ((rrset && record.ttl !== ttlOfMember(rrset, member)) || record.enabled === disabled) updated++
    }
    const name = rrset?.name ?? ours[0]?.name
    return name === undefined || created + updated + left.size === 0
      ? []
      : [[name, created, updated, left.size]]
  })
}
