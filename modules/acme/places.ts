import type { Executor } from '../../db/connect.ts'
import type { Principal } from '../../plugins/access/index.ts'
import { AppError, forbidden } from '../../plugins/errors.ts'
import { mayChange, recordScopeOf } from '../domains/access.ts'
import { isChallengeName } from './challenge.ts'
import { findAliases, findPlaces, type FoundPlace } from './queries.ts'

/** CNAMEs that are followed one after another. */
const MAX_CHAIN = 8

/**
 * Where the TXT record of a challenge at that name goes: to the name itself, or where CNAMEs that are known here lead
 * from it; in each domain of that name that the caller may change there. The name is one for challenges, or one that
 * such a name leads to: clients may have followed it already. 403 for any other, and where the caller may not write;
 * 404 where no domain that they see holds it.
 */
export async function placesOf(db: Executor, caller: Principal, name: string): Promise<FoundPlace[]> {
  if (!isChallengeName(name) && !(await isDelegatedTo(db, caller, name))) {
    throw forbidden(
      `${name} is no name of a challenge: neither _acme-challenge of one, nor what such a name leads to`,
    )
  }
  const reached = (await follow(db, caller, name)).filter((place) => place.reached)
  if (reached.length === 0) throw notReached()
  const changeable = reached.filter((place) => mayPlace(place, caller))
  if (changeable.length === 0) throw notWritable()
  return changeable
}

// Without names: the token may not reach that of a CNAME's target.
export const notReached = () =>
  new AppError(404, 'not_found', 'You reach no domain that holds this name, or where its CNAME leads')
export const notWritable = () =>
  forbidden('You may not write TXT records at this name, or where its CNAME leads')

/** Whether the caller may have a TXT record there. */
export const mayPlace = (place: FoundPlace, caller: Principal): boolean =>
  mayChange(recordScopeOf(place, caller), { name: place.host, type: 'TXT' })

/** Rejects with 403 where the chain has no end. */
async function follow(db: Executor, caller: Principal, start: string): Promise<FoundPlace[]> {
  let name = start
  for (let length = 0; length <= MAX_CHAIN; length++) {
    const places = await findPlaces(db, caller, name)
    const alias = places.find((place) => place.alias !== null)?.alias
    if (alias == null) return places
    name = alias
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
