import { rrsetKey } from '../../dns/rrset.ts'
import type { NameCounts } from '../../schemas/event-catalogue.ts'
import { connectionOf, zoneOf } from '../domains/service.ts'
import type { RRset } from '../providers/contract.ts'
import type { RecordContext } from './apply.ts'
import { ttlOfMember } from './provider-contents.ts'
import { readRRsets } from './provider-reads.ts'
import { databaseTime, findDomainForRecovery, namesTouchedSince, recordsOfNames } from './queries.ts'
import { endLastLook, failedItems, type DueChange } from './settling-queries.ts'
import type { RecordRow } from './mapper.ts'
import { announceDrift } from './drift.ts'

/**
 * Looks once more for a change that counts as not applied. When the RRsets that it was about differ from the
 * records here by now, people are told, as of anything else that changes at a provider; nothing is changed here.
 * Rejects with ProviderError when the provider can't be asked.
 */
export async function lookForLast(context: RecordContext, change: DueChange): Promise<void> {
  const { db } = context
  const [domain, items] = await Promise.all([
    findDomainForRecovery(db, change.domain_id),
    failedItems(db, change.id),
  ])
  // The domain was deleted meanwhile, and the change with it.
  if (!domain) return
  const since = await databaseTime(db)
  const rrsets = await readRRsets(await connectionOf(context, domain), zoneOf(domain), items)
  const names = items.flatMap(({ before, after }) =>
    [before, after].flatMap((content) => content?.name ?? []),
  )
  const here = await recordsOfNames(db, domain.id, names)
  // After both were read: what was changed in between is no difference.
  const touched = await namesTouchedSince(db, domain.id, since)
  const counts = differencesIn(
    rrsets,
    here.filter(({ name }) => !touched.has(name)),
    touched,
  )
  await db.transaction().execute(async (trx) => {
    if (!(await endLastLook(trx, change.id))) return
    if (counts.length > 0) await announceDrift(trx, domain, counts, { applied: false })
  })
}

/** How many records differ, for each RRset in which one does. */
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
