import { relativeName } from '../../../dns/names/names.ts'
import { splitLabels } from '../../../dns/wire/wire-name.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { conflict } from '../../../plugins/http/errors.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import { recordScopeOf } from './access.ts'
import { mayChange, mayChangeSome, type Grant } from './record-scope.ts'

export { findHolders } from './access-queries.ts'

/**
 * Finds the domain for a host name: dynamic DNS, ACME and external-dns use only this, because a user could register and
 * share a zone to take over names of another.
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

/** A domain and a name relative to it. */
export interface Held<D extends Holder> {
  domain: D
  host: string
}

/** Names of the domains that could contain a canonical name, longest first, including the name itself. */
export function zoneNamesOf(name: string): string[] {
  const labels = splitLabels(name.startsWith('*.') ? name.slice(2) : name)
  return labels.map((_, at) => labels.slice(at).join('.'))
}

/**
 * Returns the domain in which the caller may change records of the name (and of one of `types`): owned domains before
 * delegated ones, then the longest name. Null if not found; throws a 409 naming both if two are equal.
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

/** All domains that contain the name, in that order, regardless of permissions. */
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

/** Whether the caller may change records of that name (and of one of `types`). */
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
