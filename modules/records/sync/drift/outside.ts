import { isDeepStrictEqual } from 'node:util'
import { memberKey, rrsetKey } from '../../../../dns/names/rrset.ts'
import type { Capabilities } from '../../../providers/contract.ts'
import type { RecordContent } from '../../plan/change.ts'
import type { Differences } from '../sync-differences.ts'

/**
 * Separates changes made at the provider (`outside`) from what a sync always stores: the provider's ids and states of records,
 * TTLs that the provider was to choose, and the NS records at the apex where only the provider changes them.
 */
export function outsideOf(
  { created, updated, deleted, unchanged }: Differences,
  { apexNs }: Pick<Capabilities, 'apexNs'>,
): { outside: Differences; rest: Differences } {
  const isOurs = ({ name, type }: RecordContent) => apexNs || name !== '@' || type !== 'NS'
  const news = Object.groupBy(created, ({ content }) => sideOf(isOurs(content)))
  const gone = Object.groupBy(deleted, (record) => sideOf(isOurs(record)))
  const other = Object.groupBy(updated, ({ before, found: { content } }) =>
    sideOf(isOurs(before) && !isSaid(before, content)),
  )
  const of = (side: Side): Differences => ({
    created: news[side] ?? [],
    updated: other[side] ?? [],
    deleted: gone[side] ?? [],
    unchanged,
  })
  return { outside: of('outside'), rest: of('rest') }
}

type Side = 'outside' | 'rest'

const sideOf = (isOutside: boolean): Side => (isOutside ? 'outside' : 'rest')

/** Whether the provider holds what is declared here. */
const isSaid = (here: RecordContent, there: RecordContent) =>
  memberKey(here) === memberKey(there) &&
  (here.ttl === null || here.ttl === there.ttl) &&
  here.proxied === there.proxied &&
  here.enabled === there.enabled &&
  here.comment === there.comment &&
  isDeepStrictEqual(here.routing, there.routing) &&
  isDeepStrictEqual(here.extra, there.extra)

/** The number of differences. */
export const sizeOf = ({ created, updated, deleted }: Differences) =>
  created.length + updated.length + deleted.length

/** The number of records that differ. A value that was replaced is one, also where the provider has no ids of records. */
export function recordsIn({ created, updated, deleted }: Differences): number {
  const came = Map.groupBy(created, ({ content }) => rrsetKey(content))
  const went = Map.groupBy(deleted, (record) => rrsetKey(record))
  const keys = new Set([...came.keys(), ...went.keys()])
  return [...keys].reduce(
    (sum, key) => sum + Math.max(came.get(key)?.length ?? 0, went.get(key)?.length ?? 0),
    updated.length,
  )
}

/** Differences of each kind, by number. */
export const countsOf = ({ created, updated, deleted }: Differences) => ({
  created: created.length,
  updated: updated.length,
  deleted: deleted.length,
})

/** The names concerned, at the provider and here. */
export const namesOf = ({ created, updated, deleted }: Differences): string[] => [
  ...new Set([
    ...created.map(({ content }) => content.name),
    ...updated.flatMap(({ before, found }) => [before.name, found.content.name]),
    ...deleted.map(({ name }) => name),
  ]),
]

/** Keeps the differences whose names fit. */
export const atNames = (
  { created, updated, deleted, unchanged }: Differences,
  fits: (name: string) => boolean,
): Differences => ({
  created: created.filter(({ content }) => fits(content.name)),
  updated: updated.filter(({ before, found }) => fits(before.name) && fits(found.content.name)),
  deleted: deleted.filter(({ name }) => fits(name)),
  unchanged,
})
