import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { RRsetEdit, Zone } from '../../contract.ts'
import { editedSet, NO_SET } from '../../shared/rrsets/edited-set.ts'
import type { ListedSet } from '../../shared/rrsets/listed-sets.ts'
import { placeOf, spellOf, type Data, type RawRecord, type RecordPlace } from './records.ts'

/** A record to send. */
type NewRecord = RecordPlace & Data & { ttl: number | null }

/** How an edit is applied: records are added, or replace all of a type and name. */
export type Write = { edit: RRsetEdit; place: RecordPlace } & ({ added: NewRecord[] } | { put: NewRecord[] })

/** Null when nothing is to be done. `present`: all sets of the place. */
export function writeOf(edit: RRsetEdit, present: readonly ListedSet<RawRecord>[], zone: Zone): Write | null {
  const place = placeOf(edit)
  const [own, others] = [present.filter(isOf(edit)), present.filter((set) => !isOf(edit)(set))]
  const held = own[0] ?? NO_SET
  const wanted = editedSet<Data>(edit, held, spellOf(zone))
  if (wanted === null) return null
  const toRecord = ({ rdata }: { rdata: Data }): NewRecord => ({ ...rdata, ...place, ttl: wanted.ttl })
  const isKept = held.values.every((value, at) => value === wanted.values[at])
  // Adding keeps what others write at the same time.
  if (isKept && (held.ttl === null || held.ttl === wanted.ttl))
    return { edit, place, added: wanted.values.slice(held.values.length).map(toRecord) }
  const kept = others.flatMap(({ values }) => values.map(({ rdata }) => rdata as NewRecord))
  return { edit, place, put: [...kept, ...wanted.values.map(toRecord)] }
}

const isOf = (edit: RRsetEdit) => (set: ListedSet<RawRecord>) => rrsetKey(set) === rrsetKey(edit)
