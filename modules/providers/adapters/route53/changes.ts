import type { RRsetEdit, Zone } from '../../contract.ts'
import { editedSet, NO_SET } from '../../shared/edited-set.ts'
import { hasInstead } from '../../shared/listed-sets.ts'
import { newSet, spell, toListed, valuesOf, withValues, type RawSet } from './record-set.ts'

export interface Change {
  action: 'CREATE' | 'DELETE' | 'UPSERT'
  set: RawSet
}

/** Records and characters of values in one request; upserted ones count twice. */
const MAX_RECORDS = 1_000
const MAX_CHARACTERS = 32_000

/** Changes to send in one call, which Route 53 applies as a whole or not at all. */
export interface Request {
  changes: Change[]
  /** Indexes of the groups in it. */
  groups: number[]
}

/**
 * Returns the changes that the edits need, edit by edit. Deleted sets are sent as they were read, so Route 53
 * refuses the whole request if others have changed them since.
 */
export const changesOf = (
  zone: Zone,
  edits: readonly RRsetEdit[],
  held: readonly (RawSet | null)[],
): Change[][] => edits.map((edit, at) => changeSet(zone, edit, held[at] ?? null))

function changeSet(zone: Zone, edit: RRsetEdit, held: RawSet | null): Change[] {
  const listed = held && toListed(held, zone)
  const wanted = editedSet(edit, listed ?? NO_SET, spell)
  if (wanted === null) return []
  if (listed?.instead !== undefined) throw hasInstead('AWS Route 53', listed)
  const set: RawSet = {
    ...(held ?? newSet(edit, zone)),
    TTL: String(wanted.ttl),
    ResourceRecords: withValues(wanted.values.map(({ rdata }) => rdata)),
  }
  // A zone always keeps these.
  if (edit.name === '@' && edit.type === 'NS' && held !== null) return [{ action: 'UPSERT', set }]
  return [
    ...(held === null ? [] : [{ action: 'DELETE', set: held } as const]),
    ...(wanted.values.length === 0 ? [] : [{ action: 'CREATE', set } as const]),
  ]
}

/**
 * Packs the groups of changes into as few requests as possible, each group in one. Deletions make room for
 * creations: they go first, within a request and across requests.
 */
export function requestsOf(groups: readonly (readonly Change[])[]): Request[] {
  const requests: (Request & { size: Size })[] = []
  const places = groups.flatMap((group, place) => (group.length === 0 ? [] : [place]))
  const comes = (place: number) => Number(groups[place]?.some(({ action }) => action !== 'DELETE'))
  for (const place of places.sort((a, b) => comes(a) - comes(b))) {
    const group = groups[place] ?? []
    const last = requests.at(-1)
    const size = sizeOf(group)
    const joined = last && {
      records: last.size.records + size.records,
      length: last.size.length + size.length,
    }
    if (last && joined && joined.records <= MAX_RECORDS && joined.length <= MAX_CHARACTERS) {
      last.changes.push(...group)
      last.groups.push(place)
      last.size = joined
    } else requests.push({ changes: [...group], groups: [place], size })
  }
  for (const { changes } of requests) changes.sort((a, b) => isGone(b) - isGone(a))
  return requests
}

const isGone = ({ action }: Change): number => Number(action === 'DELETE')

interface Size {
  records: number
  /** Characters of values. */
  length: number
}

const sizeOf = (changes: readonly Change[]): Size =>
  changes.reduce(
    (sum, { action, set }) => {
      const values = valuesOf(set)
      const times = action === 'UPSERT' ? 2 : 1
      const length = values.reduce((all, value) => all + value.length, 0)
      // An alias counts as one.
      return {
        records: sum.records + times * Math.max(1, values.length),
        length: sum.length + times * length,
      }
    },
    { records: 0, length: 0 },
  )
