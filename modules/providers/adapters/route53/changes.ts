import type { RRsetEdit, Zone } from '../../contract.ts'
import { editedSet, NO_SET } from '../../edited-set.ts'
import { hasInstead } from '../../listed-sets.ts'
import { newSet, spell, toListed, valuesOf, withValues, type RawSet } from './record-set.ts'

export interface Change {
  action: 'CREATE' | 'DELETE' | 'UPSERT'
  set: RawSet
}

/** Records and characters of values in one request; what is upserted counts twice. */
const MAX_RECORDS = 1_000
const MAX_CHARACTERS = 32_000

/**
 * What is to be sent so that the sets are as the edits want them. What goes is named as it was read, so that Route 53
 * refuses all of it when somebody else has changed it since. What goes makes room for what comes.
 */
export function changesOf(
  zone: Zone,
  edits: readonly RRsetEdit[],
  held: readonly (RawSet | null)[],
): Change[] {
  const changes = edits.flatMap((edit, at) => changeSet(zone, edit, held[at] ?? null))
  return changes.sort((a, b) => Number(b.action === 'DELETE') - Number(a.action === 'DELETE'))
}

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
  // A zone is never without these.
  if (edit.name === '@' && edit.type === 'NS' && held !== null) return [{ action: 'UPSERT', set }]
  return [
    ...(held === null ? [] : [{ action: 'DELETE', set: held } as const]),
    ...(wanted.values.length === 0 ? [] : [{ action: 'CREATE', set } as const]),
  ]
}

/** The changes in as few requests as can be. */
export function* batchesOf(changes: readonly Change[]): Generator<Change[]> {
  let batch: Change[] = []
  let [records, characters] = [0, 0]
  for (const change of changes) {
    const values = valuesOf(change.set)
    const length = values.reduce((sum, value) => sum + value.length, 0)
    // An alias counts as one.
    const count = Math.max(1, values.length)
    if (batch.length > 0 && (records + count > MAX_RECORDS || characters + length > MAX_CHARACTERS)) {
      yield batch
      batch = []
      records = characters = 0
    }
    batch.push(change)
    records += count
    characters += length
  }
  if (batch.length > 0) yield batch
}
