import type { Executor } from '../../db/connection/connect.ts'
import { coversName } from '../../dns/names/name-patterns.ts'
import {
  CATALOGUE,
  type AnnouncedName,
  type Announcement,
  type MetadataOf,
  type NameCounts,
} from '../../schemas/events/event-catalogue.ts'
import { findAdministrators, findUsers, findViewers, type Receiver } from './queries.ts'

/** Receivers who hear the same. */
interface AudienceGroup {
  metadata: object
  receivers: Receiver[]
}

type RecordsMetadata = MetadataOf<'record.created'>
type CountsMetadata = MetadataOf<'domain.drift'>

/** Who hears of an event, and what of it; one statement. */
export async function audienceOf(
  db: Executor,
  name: AnnouncedName,
  { metadata, userIds = [], counts = [] }: Announcement<object>,
): Promise<AudienceGroup[]> {
  switch (CATALOGUE[name].audience) {
    case 'users':
      return [{ metadata, receivers: await findUsers(db, userIds) }]
    case 'administrators':
      return [{ metadata, receivers: await findAdministrators(db) }]
    case 'domain':
      return byHowMuchTheySee(
        name,
        metadata,
        await findViewers(db, (metadata as { domainId: string }).domainId),
      )
    case 'counts': {
      const told = metadata as CountsMetadata
      return byWhatTheyCount(told, counts, await findViewers(db, told.domainId))
    }
    case 'records': {
      const told = metadata as RecordsMetadata
      return byWhatTheySee(told, await findViewers(db, told.domainId))
    }
  }
}

const seesAll = ({ patterns }: Receiver) => patterns === null || patterns.includes('*')

/** Who sees a part of the domain hears what is fit for that. */
function byHowMuchTheySee(name: AnnouncedName, metadata: object, receivers: Receiver[]): AudienceGroup[] {
  const { partly } = CATALOGUE[name] as { partly?: (metadata: object) => object }
  if (!partly) return [{ metadata, receivers }]
  const groups = [
    { metadata, receivers: receivers.filter(seesAll) },
    { metadata: partly(metadata), receivers: receivers.filter((receiver) => !seesAll(receiver)) },
  ]
  return groups.filter((group) => group.receivers.length > 0)
}

/** Each hears how many of the records that they see were changed; who sees none hears nothing. */
function byWhatTheyCount(
  metadata: CountsMetadata,
  counts: readonly NameCounts[],
  receivers: Receiver[],
): AudienceGroup[] {
  const groups: AudienceGroup[] = [{ metadata, receivers: receivers.filter(seesAll) }]
  const partly = Map.groupBy(
    receivers.filter((receiver) => !seesAll(receiver)),
    ({ patterns }) => JSON.stringify(patterns?.toSorted()),
  )
  for (const alike of partly.values()) {
    const seen = counts.filter(([name]) => coversName(alike[0]?.patterns ?? [], name))
    const sum = (place: 1 | 2 | 3) => seen.reduce((total, count) => total + count[place], 0)
    const own = { ...metadata, created: sum(1), updated: sum(2), deleted: sum(3) }
    if (seen.length > 0) groups.push({ metadata: own, receivers: alike })
  }
  return groups.filter((group) => group.receivers.length > 0)
}

/** Each hears of the records that they see; who sees none hears nothing. */
function byWhatTheySee(metadata: RecordsMetadata, receivers: Receiver[]): AudienceGroup[] {
  const groups = new Map<string, AudienceGroup>()
  for (const receiver of receivers) {
    const { patterns } = receiver
    const seen = metadata.records.map(({ name }) => patterns === null || coversName(patterns, name))
    if (!seen.includes(true)) continue
    const key = seen.every(Boolean) ? 'all' : seen.map(Number).join('')
    const group = groups.get(key) ?? { metadata: only(metadata, seen), receivers: [] }
    group.receivers.push(receiver)
    groups.set(key, group)
  }
  return [...groups.values()]
}

const only = (metadata: RecordsMetadata, seen: boolean[]): RecordsMetadata => ({
  ...metadata,
  records: metadata.records.filter((_, i) => seen[i]),
})
