import type { JsonValue } from '../../../../db/tables/index.ts'
import type { Routing } from '../../../../dns/names/rrset.ts'
import { readType } from '../../../../dns/types/index.ts'
import {
  ProviderError,
  type Member,
  type RRset,
  type RRsetPage,
  type UnmanagedRecord,
} from '../../contract.ts'
import type { HeldSet, HeldValue, Spell } from './edited-set.ts'

/* RRsets as providers list them. */

/** A set as the provider lists it. */
export interface ListedSet<D = string> extends HeldSet<D> {
  /** Relative to the zone. */
  name: string
  type: string
  /** Where the provider has several sets of one name and type. */
  routing?: Routing | null
  /** The whole set is kept but not served. */
  disabled?: boolean
  /** Properties that only the provider understands. */
  extra?: JsonValue
  /** What replaces its values, such as an alias of a resource at the provider: shown, not managed. */
  instead?: string
}

/** RRsets and unmanaged records, without the SOA. `show`: data as text for users. */
export function toPage<D>(
  sets: readonly ListedSet<D>[],
  spell: Spell<D>,
  show: (rdata: D) => string = String,
): RRsetPage {
  const page: RRsetPage = { rrsets: [], unmanaged: [] }
  for (const set of sets) {
    if (set.type === 'SOA') continue
    const { rrset, unmanaged } = readSet(set, spell, show)
    if (rrset !== null) page.rrsets.push(rrset)
    page.unmanaged.push(...unmanaged)
  }
  return page
}

/** The set as an RRset; null: its type is not managed, or none of its values is readable. */
export const toRRset = <D>(set: ListedSet<D>, spell: Spell<D>): RRset | null =>
  readSet(set, spell, String).rrset

function readSet<D>(set: ListedSet<D>, spell: Spell<D>, show: (rdata: D) => string) {
  const { name, type, ttl, values, routing, disabled = false, extra, instead } = set
  const known = readType(type)
  const members = new Map<string, Member>()
  const unmanaged: UnmanagedRecord[] = []
  if (instead !== undefined) unmanaged.push({ name, type, ttl: ttl ?? 0, value: instead })
  const spelling = known === null ? null : spell(known)
  for (const { rdata, comment, ...state } of values) {
    const value = spelling === null ? null : spelling.read(rdata)
    const off = state.disabled ?? disabled
    if (value === null) {
      if (state.disabled !== true) unmanaged.push({ name, type, ttl: ttl ?? 0, value: show(rdata) })
      continue
    }
    // Two spellings of a value count once; a served one takes precedence.
    const other = members.get(value)
    if (other === undefined || (other.disabled === true && !off))
      members.set(value, { value, ...(off && { disabled: true }), ...(comment !== undefined && { comment }) })
  }
  if (known === null || members.size === 0) return { rrset: null, unmanaged }
  const others = { ...(routing && { routing }), ...(extra !== undefined && { extra }) }
  const rrset: RRset = { name, type: known, ...others, ttl, members: [...members.values()] }
  return { rrset, unmanaged }
}

/** Values without comments. */
export const plainValues = <D>(rdata: readonly D[]): HeldValue<D>[] => rdata.map((one) => ({ rdata: one }))

/** A set with a replacement for its values can't be changed. */
export const hasInstead = (provider: string, { name, type, instead = '' }: ListedSet<unknown>) =>
  new ProviderError(
    'rejected',
    `${type} at ${name} is not made of records at ${provider}, so it can't be changed here: ${instead}`,
  )
