import type { Executor } from '../../db/connection/connect.ts'
import { coversName } from '../../dns/names/name-patterns.ts'
import {
  CATALOGUE,
  type AnnouncedName,
  type Announcement,
  type MetadataOf,
  type NameCounts,
} from '../../schemas/events/event-catalogue.ts'
import { findAdministrators, findUsers, findViewers, type Recipient } from './queries.ts'

/** Recipients of the same content. */
interface AudienceGroup {
  metadata: object
  recipients: Recipient[]
}

type RecordsMetadata = MetadataOf<'record.created'>
type CountsMetadata = MetadataOf<'domain.drift'>

/** The recipients of an event, grouped by what they may see of it. */
export async function audienceOf(
  db: Executor,
  name: AnnouncedName,
  { metadata, userIds = [], counts = [] }: Announcement<object>,
): Promise<AudienceGroup[]> {
  switch (CATALOGUE[name].audience) {
    case 'users':
      return [{ metadata, recipients: await findUsers(db, userIds) }]
    case 'administrators':
      return [{ metadata, recipients: await findAdministrators(db) }]
    case 'domain':
      return byAccess(name, metadata, await findViewers(db, (metadata as { domainId: string }).domainId))
    case 'counts': {
      const shown = metadata as CountsMetadata
      return byVisibleCounts(shown, counts, await findViewers(db, shown.domainId))
    }
    case 'records': {
      const shown = metadata as RecordsMetadata
      return byVisibleRecords(shown, await findViewers(db, shown.domainId))
    }
  }
}

const seesAll = ({ patterns }: Recipient) => patterns === null || patterns.includes('*')

/** Users with access to part of the domain get the version for them. */
function byAccess(name: AnnouncedName, metadata: object, recipients: Recipient[]): AudienceGroup[] {
  const { partly } = CATALOGUE[name] as { partly?: (metadata: object) => object }
  if (!partly) return [{ metadata, recipients }]
  const groups = [
    { metadata, recipients: recipients.filter(seesAll) },
    { metadata: partly(metadata), recipients: recipients.filter((recipient) => !seesAll(recipient)) },
  ]
  return groups.filter((group) => group.recipients.length > 0)
}

/** Each user gets the counts of the records they can see; none if they see none. */
function byVisibleCounts(
  metadata: CountsMetadata,
  counts: readonly NameCounts[],
  recipients: Recipient[],
): AudienceGroup[] {
  const groups: AudienceGroup[] = [{ metadata, recipients: recipients.filter(seesAll) }]
  const partly = Map.groupBy(
    recipients.filter((recipient) => !seesAll(recipient)),
    ({ patterns }) => JSON.stringify(patterns?.toSorted()),
  )
  for (const alike of partly.values()) {
    const seen = counts.filter(([name]) => coversName(alike[0]?.patterns ?? [], name))
    const sum = (place: 1 | 2 | 3) => seen.reduce((total, count) => total + count[place], 0)
    const own = { ...metadata, created: sum(1), updated: sum(2), deleted: sum(3) }
    if (seen.length > 0) groups.push({ metadata: own, recipients: alike })
  }
  return groups.filter((group) => group.recipients.length > 0)
}

/** Each user gets the records they can see; nothing if they see none. */
function byVisibleRecords(metadata: RecordsMetadata, recipients: Recipient[]): AudienceGroup[] {
  const groups = new Map<string, AudienceGroup>()
  for (const recipient of recipients) {
    const { patterns } = recipient
    const seen = metadata.records.map(({ name }) => patterns === null || coversName(patterns, name))
    if (!seen.includes(true)) continue
    const key = seen.every(Boolean) ? 'all' : seen.map(Number).join('')
    const group = groups.get(key) ?? { metadata: only(metadata, seen), recipients: [] }
    group.recipients.push(recipient)
    groups.set(key, group)
  }
  return [...groups.values()]
}

const only = (metadata: RecordsMetadata, seen: boolean[]): RecordsMetadata => ({
  ...metadata,
  records: metadata.records.filter((_, i) => seen[i]),
})
