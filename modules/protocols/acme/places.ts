import type { Executor } from '../../../db/connection/connect.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { AppError, forbidden } from '../../../plugins/http/errors.ts'
import { mayChange, recordScopeOf } from '../../domains/access/access.ts'
import { holderOf, holdersByName, ranked } from '../../domains/access/holder.ts'
import { isChallengeName } from './challenge.ts'
import { findAliases, findPlaces, type FoundPlace } from './queries.ts'

/** CNAMEs that are followed one after another. */
const MAX_CHAIN = 8

/**
 * Where the TXT record of a challenge at that name goes: to the name itself, or where CNAMEs that are known here lead
 * from it. The name is one for challenges, or one that such a name leads to: clients may have followed it already. 403
 * for any other, and where the caller may not write; 404 where no domain that they see holds it; 409 where two domains do
 * and none is to be preferred.
 */
export async function placeOf(db: Executor, caller: Principal, name: string): Promise<FoundPlace> {
  if (!isChallengeName(name) && !(await isDelegatedTo(db, caller, name))) {
    throw forbidden(
      `${name} is no name of a challenge: neither _acme-challenge of one, nor what such a name leads to`,
    )
  }
  return writable(await follow(db, caller, name), caller)
}

/** The place, if the caller reaches it and may write there. */
export function writable(place: FoundPlace | undefined, caller: Principal): FoundPlace {
  if (!place?.reached) throw notReached()
  if (!mayPlace(place, caller)) throw notWritable()
  return place
}

/**
 * Of the places of a name the one that the caller means: where they may write, else the first that they reach, else the
 * first that their user sees.
 */
export function chosen(places: readonly FoundPlace[], caller: Principal, name: string) {
  const reached = holdersByName(places.filter((place) => place.reached))
  const held =
    holderOf(reached, caller, name, ['TXT']) ??
    ranked(reached, caller, name)[0] ??
    ranked(holdersByName(places), caller, name)[0]
  return held?.domain
}

// Without names: the token may not reach that of a CNAME's target.
const notReached = () =>
  new AppError(404, 'not_found', 'You reach no domain that holds this name, or where its CNAME leads')
const notWritable = () => forbidden('You may not write TXT records at this name, or where its CNAME leads')

/** Whether the caller may have a TXT record there. */
export const mayPlace = (place: FoundPlace, caller: Principal): boolean =>
  mayChange(recordScopeOf(place, caller), { name: place.host, type: 'TXT' })

/** Where CNAMEs lead from the name, if a domain holds it. Rejects with 403 where the chain has no end. */
async function follow(db: Executor, caller: Principal, start: string): Promise<FoundPlace | undefined> {
  let name = start
  for (let length = 0; length <= MAX_CHAIN; length++) {
    const places = await findPlaces(db, caller, name)
    const place = chosen(places, caller, name)
    // The token may reach no more than where the name leads to.
    const leading =
      place && mayPlace(place, caller) && place.reached
        ? place
        : ranked(holdersByName(places), caller, name)[0]?.domain
    if (leading?.alias == null) return place
    name = leading.alias
  }
  throw forbidden(`More than ${MAX_CHAIN} CNAMEs lead on from ${start}`)
}

/** Whether a name for challenges leads to this one, at once or by further names. */
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
