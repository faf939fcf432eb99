import { isDeepStrictEqual } from 'node:util'
import type { Executor } from '../../db/connect.ts'
import { memberKey } from '../../dns/rrset.ts'
import { inSlices } from '../../plugins/event-loop.ts'
import type { NameCounts } from '../../schemas/event-catalogue.ts'
import type { DomainRow } from '../domains/access.ts'
import { contentOf, type RecordContent, type RecordState } from './change.ts'
import { toState } from './mapper.ts'
import { namesTouchedSince, recordsAfter } from './queries.ts'
import { idKey, type Found, type ProviderRecords } from './sync-provider.ts'
import { recordCountOf } from './sync-queries.ts'

/** Rows that one statement reads. */
const CHUNK = 1_000

/** Rows to write, gathered while the records here are read once, in chunks. */
export interface Differences {
  created: Found[]
  updated: { id: string; before: RecordContent; found: Found }[]
  deleted: RecordState[]
  unchanged: number
}

/** Of a domain that no provider holds: all is as it is here. */
export async function nothingToCompare(trx: Executor, domainId: string): Promise<Differences> {
  return { created: [], updated: [], deleted: [], unchanged: await recordCountOf(trx, domainId) }
}

/** What differs between here and what the provider held at that moment. */
export async function compare(
  trx: Executor,
  { domain, there, since }: { domain: DomainRow; there: ProviderRecords; since: Date },
): Promise<Differences> {
  const differences: Differences = { created: [], updated: [], deleted: [], unchanged: 0 }
  // What changed while the provider was being read is newer than its answer, which does not count for it.
  const touched = await namesTouchedSince(trx, domain.id, since)
  const left = new Map(there.records)
  let after: string | null = null
  for (;;) {
    const rows = await recordsAfter(trx, domain.id, after, CHUNK)
    for (const record of rows.map(toState)) {
      const found = takeFound(left, record)
      if (touched.has(record.name) || (found && touched.has(found.content.name))) differences.unchanged++
      else if (!found) differences.deleted.push(record)
      else if (isSame(record, found)) differences.unchanged++
      else {
        const comment = found.keepsComment ? found.content.comment : record.comment
        const kept = { ...found, content: { ...found.content, comment } }
        differences.updated.push({ id: record.id, before: contentOf(record), found: kept })
      }
    }
    after = rows.at(-1)?.id ?? null
    if (rows.length < CHUNK) break
  }
  differences.created = [...left.values()].filter(({ content }) => !touched.has(content.name))
  return differences
}

/** How many records were changed, by name: what each who sees a part of the domain is told of it. */
export async function countsByName({ created, updated, deleted }: Differences): Promise<NameCounts[]> {
  const counts = new Map<string, NameCounts>()
  const add = (name: string, place: 1 | 2 | 3) => {
    const count = counts.get(name) ?? [name, 0, 0, 0]
    counts.set(name, count)
    count[place]++
  }
  await inSlices(created, ({ content }) => add(content.name, 1))
  await inSlices(deleted, ({ name }) => add(name, 3))
  await inSlices(updated, ({ before, found: { content } }) => {
    if (before.name === content.name) return add(content.name, 2)
    add(content.name, 1)
    add(before.name, 3)
  })
  return [...counts.values()]
}

/** By the provider's id where it has stable ones, else by name, type and value. */
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
