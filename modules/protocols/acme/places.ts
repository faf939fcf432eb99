import type { Executor } from '../../../db/connection/connect.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { AppError, forbidden } from '../../../plugins/http/errors.ts'
import { mayChange, recordScopeOf } from '../../domains/access/access.ts'
import { holderOf, holdersByName, ranked } from '../../domains/access/holder.ts'
import { isChallengeName } from './challenge.ts'
import { findAliases, findPlaces, type FoundPlace } from './queries.ts'

/** Maximum length of a CNAME chain. */
const MAX_CHAIN = 8

/**
 * Finds where the TXT record of a challenge goes: to the name itself, or to the target of its CNAMEs as known here. Clients may
 * also pass that target. Rejects with 403 for any other name or without write permission, 404 if no domain the
 * caller sees holds the name, and 409 if two do and neither is preferred.
 */
export async function placeOf(db: Executor, caller: Principal, name: string): Promise<FoundPlace> {
  if (!isChallengeName(name) && !(await isDelegatedTo(db, caller, name))) {
    throw forbidden(
      `${name} is not a challenge name: it does not begin with _acme-challenge, and no CNAME of such a name leads to it`,
    )
  }
  return writable(await follow(db, caller, name), caller)
}

/** Returns the place if the caller may write there. */
export function writable(place: FoundPlace | undefined, caller: Principal): FoundPlace {
  if (!place?.reached) throw notReached()
  if (!mayPlace(place, caller)) throw notWritable()
  return place
}

/**
 * Chooses among the places of a name: one where the caller may write, else the first their token covers, else the first their
 * user sees.
 */
export function chosen(places: readonly FoundPlace[], caller: Principal, name: string) {
  const reached = holdersByName(places.filter((place) => place.reached))
  const held =
    holderOf(reached, caller, name, ['TXT']) ??
    ranked(reached, caller, name)[0] ??
    ranked(holdersByName(places), caller, name)[0]
  return held?.domain
}

// Without names: the token may not cover the CNAME's target.
const notReached = () =>
  new AppError(404, 'not_found', 'No domain you can access holds this name or the target of its CNAME')
const notWritable = () =>
  forbidden('You have no permission to write TXT records at this name or the target of its CNAME')

/** Whether the caller may write a TXT record there. */
export const mayPlace = (place: FoundPlace, caller: Principal): boolean =>
  mayChange(recordScopeOf(place, caller), { name: place.host, type: 'TXT' })

/** Follows CNAMEs from the name, if a domain holds it. Rejects with 403 if the chain is too long. */
async function follow(db: Executor, caller: Principal, start: string): Promise<FoundPlace | undefined> {
  let name = start
  for (let length = 0; length <= MAX_CHAIN; length++) {
    const places = await findPlaces(db, caller, name)
    const place = chosen(places, caller, name)
    // The token may cover only the target.
    const leading =
      place && mayPlace(place, caller) && place.reached
        ? place
        : ranked(holdersByName(places), caller, name)[0]?.domain
    if (leading?.alias == null) return place
    name = leading.alias
  }
  throw forbidden(`More than ${MAX_CHAIN} CNAMEs follow ${start}`)
}

/** Whether CNAMEs lead from a challenge name to this one. */
async function isDelegatedTo(db: Executor, caller: Principal, name: string): Promise<boolean> {
  let targets = [name]
  const seen = new Set(targets)
  for (let length = 0; length < MAX_CHAIN && targets.length > 0; length++) {
    const aliases = await findAliases(db, caller, targets)
    if (aliases.some(isChallengeName)) return true
    targets = aliases.filter((alias) => !seen.has(alias))
    for (const target of targets) seen.add(target)
  }
  return false
}
