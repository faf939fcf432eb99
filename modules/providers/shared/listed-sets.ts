import type { JsonValue } from '../../../db/tables/index.ts'
import type { Routing } from '../../../dns/names/rrset.ts'
import { readType } from '../../../dns/types/index.ts'
import { ProviderError, type Member, type RRset, type RRsetPage, type UnmanagedRecord } from '../contract.ts'
import type { HeldSet, HeldValue, Spell } from './edited-set.ts'

/* What providers have in common that list RRsets. */

/** A set as the provider lists it. */
export interface ListedSet<D = string> extends HeldSet<D> {
  /** Relative to the zone. */
  name: string
  type: string
  /** Where the provider has several sets of one name and type. */
  routing?: Routing | null
  /** It is held and not served, with all its values. */
  disabled?: boolean
  /** What the provider has of it that we have no words for. */
  extra?: JsonValue
  /** What it has in place of values, such as an alias of something else at the provider: shown, and not managed. */
  instead?: string
}

/** Sets in our terms, and what else there is, without the SOA. `show`: data in the provider's words. */
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

/** The set in our terms; null when we don't manage its type, or can read none of its values. */
export const toRRset = <D>(set: ListedSet<D>, spell: Spell<D>): RRset | null =>
  readSet(set, spell, String).rrset

function readSet<D>(set: ListedSet<D>, spell: Spell<D>, show: (rdata: D) => string) {
  const { name, type, ttl, values, routing, disabled = false, extra, instead } = set
  const known = readType(type)
  const members = new Map<string, Member>()
  const unmanaged: UnmanagedRecord[] = []
  if (instead !== undefined) unmanaged.push({ name, type, ttl: ttl ?? 0, value: instead })
  const spelling = known === null ? null : spell(known)
  for (const { rdata, comment } of values) {
    const value = spelling === null ? null : spelling.read(rdata)
    if (value === null) unmanaged.push({ name, type, ttl: ttl ?? 0, value: show(rdata) })
    // Two spellings of one value are one.
    else if (!members.has(value))
      members.set(value, { value, ...(disabled && { disabled }), ...(comment !== undefined && { comment }) })
  }
  if (known === null || members.size === 0) return { rrset: null, unmanaged }
  const others = { ...(routing && { routing }), ...(extra !== undefined && { extra }) }
  const rrset: RRset = { name, type: known, ...others, ttl, members: [...members.values()] }
  return { rrset, unmanaged }
}

/** Values without comments. */
export const plainValues = <D>(rdata: readonly D[]): HeldValue<D>[] => rdata.map((one) => ({ rdata: one }))

/** No values are written where there is something in place of them. */
export const hasInstead = (provider: string, { name, type, instead = '' }: ListedSet<unknown>) =>
  new ProviderError(
    'rejected',
    `${provider} has something else than records for ${type} at ${name}, which is not managed here: ${instead}`,
  )
