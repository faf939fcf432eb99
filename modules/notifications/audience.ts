import type { Executor } from '../../db/connect.ts'
import { coversName } from '../../dns/name-patterns.ts'
import {
  CATALOGUE,
  type AnnouncedName,
  type Announcement,
  type MetadataOf,
} from '../../schemas/event-catalogue.ts'
import { findAdministrators, findUsers, findViewers, type Receiver } from './queries.ts'

/** Receivers who hear the same. */
interface AudienceGroup {
  metadata: object
  receivers: Receiver[]
}

type RecordsMetadata = MetadataOf<'record.created'>

/** Who hears of an event, and what of it; one statement. */
export async function audienceOf(
  db: Executor,
  name: AnnouncedName,
  { metadata, userIds = [] }: Announcement<object>,
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
    case 'records': {
      const told = metadata as RecordsMetadata
      return byWhatTheySee(told, await findViewers(db, told.domainId))
    }
  }
}

/** Who sees a part of the domain hears what is fit for that. */
function byHowMuchTheySee(name: AnnouncedName, metadata: object, receivers: Receiver[]): AudienceGroup[] {
  const { partly } = CATALOGUE[name] as { partly?: (metadata: object) => object }
  if (!partly) return [{ metadata, receivers }]
  const seesAll = ({ patterns }: Receiver) => patterns === null || patterns.includes('*')
  const groups = [
    { metadata, receivers: receivers.filter(seesAll) },
    { metadata: partly(metadata), receivers: receivers.filter((receiver) => !seesAll(receiver)) },
  ]
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
