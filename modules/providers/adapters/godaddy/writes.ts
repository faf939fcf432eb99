import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { RRsetEdit, Zone } from '../../contract.ts'
import { editedSet, NO_SET } from '../../shared/edited-set.ts'
import type { ListedSet } from '../../shared/listed-sets.ts'
import type { RawRecord } from './client.ts'
import { placeOf, spellOf, type Data, type Place } from './records.ts'

/** A record as it is sent. */
type NewRecord = Place & Data & { ttl: number | null }

/** How an edit is done: records are added, or all of a type and name are put in the place of what is there. */
export type Write = { edit: RRsetEdit; place: Place } & ({ added: NewRecord[] } | { put: NewRecord[] })

/** Null when it is so already. `there`: all of the type and the name at GoDaddy. */
export function writeOf(edit: RRsetEdit, there: readonly ListedSet<RawRecord>[], zone: Zone): Write | null {
  const place = placeOf(edit)
  const [own, others] = [there.filter(isOf(edit)), there.filter((set) => !isOf(edit)(set))]
  const held = own[0] ?? NO_SET
  const wanted = editedSet<Data>(edit, held, spellOf(zone))
  if (wanted === null) return null
  const toRecord = ({ rdata }: { rdata: Data }): NewRecord => ({ ...rdata, ...place, ttl: wanted.ttl })
  const isKept = held.values.every((value, at) => value === wanted.values[at])
  // What is only added leaves alone what others write at the same time.
  if (isKept && (held.ttl === null || held.ttl === wanted.ttl))
    return { edit, place, added: wanted.values.slice(held.values.length).map(toRecord) }
  const kept = others.flatMap(({ values }) => values.map(({ rdata }) => rdata as NewRecord))
  return { edit, place, put: [...kept, ...wanted.values.map(toRecord)] }
}

const isOf = (edit: RRsetEdit) => (set: ListedSet<RawRecord>) => rrsetKey(set) === rrsetKey(edit)
