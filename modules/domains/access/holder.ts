import { relativeName } from '../../../dns/names/names.ts'
import { splitLabels } from '../../../dns/wire/wire-name.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { conflict } from '../../../plugins/http/errors.ts'
import type { RecordType } from '../../../schemas/record-type.ts'
import { recordScopeOf } from './access.ts'
import { mayChange, mayChangeSome, type Grant } from './record-scope.ts'

export { findHolders } from './holder-queries.ts'

/**
 * Which domain a program means that names a host and no domain: dynamic DNS, ACME and external-dns ask here and nowhere
 * else, as somebody could register and assign a zone to take the names of another.
 */

/** A domain that could hold a name; see `findHolders`. */
export interface Holder {
  id: string
  name: string
  owner_id: string
  grants: readonly Grant[]
}

export type HoldersByName<D extends Holder> = ReadonlyMap<string, readonly D[]>

export const holdersByName = <D extends Holder>(domains: readonly D[]): HoldersByName<D> =>
  Map.groupBy(domains, ({ name }) => name)

/** A domain, and what a name is called in it. */
export interface Held<D extends Holder> {
  domain: D
  host: string
}

/** The names of the domains that a canonical name could be in, the nearest first; it may be one itself. */
export function zoneNamesOf(name: string): string[] {
  const labels = splitLabels(name.startsWith('*.') ? name.slice(2) : name)
  return labels.map((_, at) => labels.slice(at).join('.'))
}

/**
 * Of the domains where the caller, with their token, may change records of the name (`types`: of one of these): one that
 * their user owns rather than an assigned one, then the one with the longest name; null where there is none. Throws a 409
 * that names both where two are equal in that.
 */
export function holderOf<D extends Holder>(
  domains: HoldersByName<D>,
  caller: Principal,
  name: string,
  types?: readonly RecordType[],
): Held<D> | null {
  const [first, second] = ranked(domains, caller, name).filter((held) => mayHold(held, caller, types))
  if (first && second && isEqual(first.domain, second.domain, caller))
    throw severalHold(name, first.domain, second.domain)
  return first ?? null
}

/** All of the domains that hold the name, in that order, whatever the caller may change there. */
export function ranked<D extends Holder>(
  domains: HoldersByName<D>,
  caller: Principal,
  name: string,
): Held<D>[] {
  const holding = zoneNamesOf(name).flatMap((zone) => {
    const host = relativeName(name, zone)
    return host === null ? [] : (domains.get(zone) ?? []).map((domain) => ({ domain, host }))
  })
  return [
    ...holding.filter(({ domain }) => isOwn(domain, caller)),
    ...holding.filter(({ domain }) => !isOwn(domain, caller)),
  ]
}

const isOwn = ({ owner_id }: Holder, { userId }: Principal) => owner_id === userId

const isEqual = (one: Holder, other: Holder, caller: Principal) =>
  one.name === other.name && isOwn(one, caller) === isOwn(other, caller)

/** Whether the caller may change records of that name, if `types` are given, of one of these types. */
export function mayHold(
  { domain, host }: Held<Holder>,
  caller: Principal,
  types?: readonly RecordType[],
): boolean {
  const scope = recordScopeOf(domain, caller)
  return types === undefined
    ? mayChangeSome(scope, host)
    : types.some((type) => mayChange(scope, { name: host, type }))
}

const severalHold = (name: string, ...two: [Holder, Holder]) =>
  conflict(
    `${name} could be in ${two.map((domain) => `${domain.name} (${domain.id})`).join(' or ')}; restrict the token to one of these domains`,
    { reason: 'several_domains' },
  )
