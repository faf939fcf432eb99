import { RCODE, TYPE, type ResourceRecord } from '../../../dns/wire/message.ts'
import { writeWireSoa } from '../../../dns/zone-file/soa.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { requireDomain, type DomainRow, type GrantedDomain } from '../../domains/access/access.ts'
import { findHolders, holdersByName, mayHold, ranked, zoneNamesOf } from '../../domains/access/holder.ts'
import type { Held } from '../../domains/access/holder.ts'
import type { Signer } from './context.ts'
import { Refused } from './refusal.ts'

type Holders = Awaited<ReturnType<typeof findHolders>>
type Place = Held<Holders[number]>

/** Returns the zone that holds a name, for a caller who wants to write there; null if they see none. */
export async function zoneOfName(db: Executor, signer: Signer, name: string): Promise<GrantedDomain | null> {
  const places = await placesOf(db, signer, name, zoneNamesOf(name))
  const writable = places.filter((place) => mayHold(place, signer))
  return chosen(db, signer, writable.length > 0 ? writable : places)
}

/**
 * Returns the zone of exactly that name: the only one, or the one the caller owns, among those where they may do what
 * `fits` says. Throws Refused: NOTAUTH if the caller sees none, REFUSED if none fits or two are of the same rank.
 */
export async function zoneNamed(
  db: Executor,
  signer: Signer,
  zone: string,
  fits: (domain: Holders[number]) => boolean,
): Promise<GrantedDomain> {
  const places = await placesOf(db, signer, zone, [zone])
  if (places.length === 0) throw new Refused(RCODE.NOTAUTH, `the key sees no zone ${zone}`)
  const fitting = places.filter(({ domain }) => fits(domain))
  const domain = await chosen(db, signer, fitting)
  if (domain === null) throw new Refused(RCODE.REFUSED, `the key may not do this in ${zone}`)
  return domain
}

async function placesOf(db: Executor, signer: Signer, name: string, zones: string[]): Promise<Place[]> {
  const found = await findHolders(db, signer, zones)
  return ranked(holdersByName(found.filter(({ reached }) => reached)), signer, name)
}

/** The first in order of rank; never a guess between equals. */
async function chosen(db: Executor, signer: Signer, places: readonly Place[]): Promise<GrantedDomain | null> {
  const [first, second] = places.map(({ domain }) => domain)
  if (first === undefined) return null
  const isOwn = (owner: string | undefined) => owner === signer.userId
  if (second?.name === first.name && isOwn(second.owner_id) === isOwn(first.owner_id)) {
    const which = `${first.name} (${first.id}) and another one (${second.id})`
    throw new Refused(RCODE.REFUSED, `the key sees ${which}; restrict its token to one of these domains`)
  }
  return requireDomain(db, signer, first.id, 'read')
}

const DEFAULTS = { refresh: 10_800, retry: 3_600, expire: 604_800, minimum: 3_600 }

/**
 * The SOA of a zone. Its serial is the version of the records here, which increases with each change; providers count
 * differently, and their serial is known only as of the last sync.
 */
export function soaOf(
  domain: Pick<DomainRow, 'name' | 'soa' | 'name_servers' | 'default_ttl' | 'record_version'>,
): ResourceRecord {
  const { ttl, ...soa } = domain.soa ?? {
    primary: domain.name_servers[0] ?? domain.name,
    mailbox: `hostmaster.${domain.name}`,
    ttl: domain.default_ttl,
    ...DEFAULTS,
  }
  const data = writeWireSoa({ ...soa, serial: domain.record_version % 2 ** 32 })
  return { name: domain.name, type: TYPE.SOA, class: 1, ttl, data }
}
