import type { Zone } from '../../contract.ts'
import type { SetWrite } from '../../shared/rrsets/by-rrset.ts'
import { newSet, valuesOf, withValues, type RawSet } from './record-set.ts'

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
 * The changes that a write needs. Deleted sets are sent as they were read, so Route 53 refuses the whole request
 * if others have changed them since.
 */
export function changesOf(write: SetWrite<string, RawSet>, zone: Zone): Change[] {
  const { name, type, ttl, rdata, raw } = write
  const set = { ...(raw ?? newSet(write, zone)), TTL: String(ttl), ResourceRecords: withValues(rdata) }
  // A zone always keeps these.
  if (name === '@' && type === 'NS' && raw !== null) return [{ action: 'UPSERT', set }]
  return [
    ...(raw === null ? [] : [{ action: 'DELETE', set: raw } as const]),
    ...(rdata.length === 0 ? [] : [{ action: 'CREATE', set } as const]),
  ]
}

/**
 * Packs the groups of changes into as few requests as possible, each group in one. Deletions make room for
 * creations: they go first, within a request and across requests.
 */
export function requestsOf(groups: readonly (readonly Change[])[]): Request[] {
  const requests: (Request & { size: Size })[] = []
  const comes = (place: number) => Number(groups[place]?.some(({ action }) => action !== 'DELETE'))
  for (const place of [...groups.keys()].sort((a, b) => comes(a) - comes(b))) {
    const group = groups[place] ?? []
    const last = requests.at(-1)
    const size = sizeOf(group)
    const joined = last && sum(last.size, size)
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

const sum = (one: Size, other: Size): Size => ({
  records: one.records + other.records,
  length: one.length + other.length,
})

const sizeOf = (changes: readonly Change[]): Size =>
  changes
    .map(({ action, set }) => {
      const values = valuesOf(set)
      const times = action === 'UPSERT' ? 2 : 1
      // An alias counts as one.
      return { records: times * Math.max(1, values.length), length: times * values.join('').length }
    })
    .reduce(sum, { records: 0, length: 0 })
