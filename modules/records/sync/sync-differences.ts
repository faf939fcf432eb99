import { isDeepStrictEqual } from 'node:util'
import type { Executor } from '../../../db/connection/connect.ts'
import { memberKey } from '../../../dns/names/rrset.ts'
import { inSlices } from '../../../plugins/http/event-loop.ts'
import type { NameCounts } from '../../../schemas/events/event-catalogue.ts'
import type { DomainRow } from '../../domains/access/access.ts'
import { contentOf, type RecordContent, type RecordState } from '../plan/change.ts'
import { toState } from '../list/mapper.ts'
import { namesTouchedSince, recordsAfter, type ChangePosition } from '../list/queries.ts'
import { idKey, type Found, type ProviderRecords } from './sync-provider.ts'
import { recordCountOf } from './sync-queries.ts'

/** Rows read by one statement. */
const CHUNK = 1_000

/** Differences between the provider and the records here. */
export interface Differences {
  created: Found[]
  updated: { id: string; before: RecordContent; found: Found }[]
  deleted: RecordState[]
  unchanged: number
}

/** Returns no differences, for a domain whose records are kept only here. */
export async function nothingToCompare(trx: Executor, domainId: string): Promise<Differences> {
  return { created: [], updated: [], deleted: [], unchanged: await recordCountOf(trx, domainId) }
}

/** Compares the records here with those the provider held at position `since`. */
export async function compare(
  trx: Executor,
  { domain, there, since }: { domain: DomainRow; there: ProviderRecords; since: ChangePosition },
): Promise<Differences> {
  // Names changed while the provider was read are newer than its answer, and are skipped.
  const touched = await namesTouchedSince(trx, domain.id, since)
  return differencesOf(chunksOf(trx, domain.id), there.records, touched)
}

/** Compares records that are read in chunks. `touched`: names to skip. */
export async function differencesOf(
  records: AsyncIterable<RecordState[]> | Iterable<RecordState[]>,
  found: ReadonlyMap<string, Found>,
  touched: ReadonlySet<string>,
): Promise<Differences> {
  const differences: Differences = { created: [], updated: [], deleted: [], unchanged: 0 }
  const left = new Map(found)
  for await (const chunk of records) {
    for (const record of chunk) {
      const match = takeFound(left, record)
      if (touched.has(record.name) || (match && touched.has(match.content.name))) differences.unchanged++
      else if (!match) differences.deleted.push(record)
      else if (isSame(record, match)) differences.unchanged++
      else {
        const comment = match.keepsComment ? match.content.comment : record.comment
        const kept = { ...match, content: { ...match.content, comment } }
        differences.updated.push({ id: record.id, before: contentOf(record), found: kept })
      }
    }
  }
  differences.created = [...left.values()].filter(({ content }) => !touched.has(content.name))
  return differences
}

/** Reads all records of a domain in chunks. */
export async function* chunksOf(trx: Executor, domainId: string): AsyncGenerator<RecordState[]> {
  let after: string | null = null
  for (;;) {
    const rows = await recordsAfter(trx, domainId, after, CHUNK)
    yield rows.map(toState)
    after = rows.at(-1)?.id ?? null
    if (rows.length < CHUNK) return
  }
}

/** Counts changed records by name: recipients of the event get the counts of the names they see. */
export async function countsByName({ created, updated, deleted }: Differences): Promise<NameCounts[]> {
  const counts = new Map<string, NameCounts>()
  const add = adderTo(counts)
  await inSlices(created, ({ content }) => add(content.name, 1))
  await inSlices(deleted, ({ name }) => add(name, 3))
  await inSlices(updated, ({ before, found: { content } }) => {
    if (before.name === content.name) return add(content.name, 2)
    add(content.name, 1)
    add(before.name, 3)
  })
  return [...counts.values()]
}

/** Counts by name what `count` adds. */
export function nameCounts(count: (add: (name: string, place: 1 | 2 | 3) => void) => void): NameCounts[] {
  const counts = new Map<string, NameCounts>()
  count(adderTo(counts))
  return [...counts.values()]
}

const adderTo = (counts: Map<string, NameCounts>) => (name: string, place: 1 | 2 | 3) => {
  const count = counts.get(name) ?? [name, 0, 0, 0]
  counts.set(name, count)
  count[place]++
}

/** Takes the matching record: by the provider's id if it has stable ones, else by name, type and value. */
function takeFound(left: Map<string, Found>, record: RecordState): Found | undefined {
  const keys = [...(record.providerId === null ? [] : [idKey(record.providerId)]), memberKey(record)]
  for (const key of keys) {
    const found = left.get(key)
    if (found) {
      left.delete(key)
      return found
    }
  }
  return undefined
}

const isSame = (record: RecordState, { content, providerId, keepsComment }: Found) =>
  record.status === 'active' &&
  record.ttl === content.ttl &&
  record.proxied === content.proxied &&
  record.enabled === content.enabled &&
  (!keepsComment || record.comment === content.comment) &&
  isDeepStrictEqual(record.routing, content.routing) &&
  isDeepStrictEqual(record.extra, content.extra) &&
  record.providerId === providerId &&
  memberKey(record) === memberKey(content)
