import { readType } from '../../dns/types/index.ts'
import type { Member, RRset, RRsetPage, UnmanagedRecord } from './contract.ts'
import { absolute, type HeldSet, type HeldValue } from './edited-set.ts'

/* What providers have in common that list RRsets as presentation data. */

/** A set as the provider lists it. */
export interface ListedSet extends HeldSet {
  /** Relative to the zone. */
  name: string
  type: string
}

/** Sets in our terms, and what else there is, without the SOA. */
export function toPage(sets: readonly ListedSet[], spell = absolute): RRsetPage {
  const page: RRsetPage = { rrsets: [], unmanaged: [] }
  for (const set of sets) {
    if (set.type === 'SOA') continue
    const { rrset, unmanaged } = readSet(set, spell)
    if (rrset !== null) page.rrsets.push(rrset)
    page.unmanaged.push(...unmanaged)
  }
  return page
}

/** The set in our terms; null when we don't manage its type, or can read none of its values. */
export const toRRset = (set: ListedSet, spell = absolute): RRset | null => readSet(set, spell).rrset

function readSet({ name, type, ttl, values }: ListedSet, spell: typeof absolute) {
  const known = readType(type)
  const members = new Map<string, Member>()
  const unmanaged: UnmanagedRecord[] = []
  const spelling = known === null ? null : spell(known)
  for (const { rdata, comment } of values) {
    const value = spelling === null ? null : spelling.read(rdata)
    if (value === null) unmanaged.push({ name, type, ttl: ttl ?? 0, value: rdata })
    // Two spellings of one value are one.
    else if (!members.has(value)) members.set(value, { value, ...(comment !== undefined && { comment }) })
  }
  const rrset =
    known === null || members.size === 0 ? null : { name, type: known, ttl, members: [...members.values()] }
  return { rrset, unmanaged }
}

/** Values without comments. */
export const plainValues = (rdata: readonly string[]): HeldValue[] => rdata.map((one) => ({ rdata: one }))
