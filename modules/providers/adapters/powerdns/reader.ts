import { rrsetKey, type RRsetKey } from '../../../../dns/names/rrset.ts'
import type { Zone } from '../../contract.ts'
import type { ApiClient } from '../../client/client.ts'
import {
  parseFound,
  parseRRsets,
  rawName,
  RawFound,
  RawServer,
  RawZoneData,
  type RawRRset,
} from './raw-data.ts'

/** How to read one RRset with its disabled records, and how long that took. */
interface SingleRead {
  by: 'filter' | 'search'
  ms: number
}

/** What is known about a server. `until`: milliseconds since 1970. */
interface ServerState {
  single: { read: SingleRead | null; until: number } | undefined
}

const newState = (): ServerState => ({ single: undefined })

const KNOWN_MS = 10 * 60 * 1000
// Limit of search results, which share their name or content with the RRset to read: rarely more than a few.
const MAX_FOUND = 1000
// Measured on 4.7.3: up to this size, reading the whole zone costs little more than reading one RRset.
const SMALL_ZONE = 200
// Measured on 4.7.3 with PostgreSQL and 10,000 records: reading the whole zone, and parsing it here.
const MS_PER_RECORD = 0.008

/** All RRsets of the zone, disabled records included. */
export const readZone = (api: ApiClient, zone: Zone): Promise<RawRRset[]> =>
  readRaw(api, zone, zonePath(zone))

/** The SOA, which is never disabled. */
export async function readApexSoa(api: ApiClient, zone: Zone): Promise<RawRRset> {
  const soa = await readFiltered(api, zone, APEX_SOA)
  if (soa === null) throw api.malformed()
  return soa
}

const APEX_SOA = { name: '@', type: 'SOA' }

/**
 * Returns the RRset of each key with its disabled records, which a write must repeat; null if there are none.
 * Reads the whole zone, or each RRset alone if that is faster.
 */
export async function readRRsets(
  api: ApiClient,
  zone: Zone,
  keys: readonly RRsetKey[],
): Promise<(RawRRset | null)[]> {
  const { size = 0 } = zone
  const single = size > SMALL_ZONE ? await findSingleRead(api, zone) : null
  if (single === null || keys.length * single.ms > size * MS_PER_RECORD)
    return pick(await readZone(api, zone), zone, keys)
  const rrsets: (RawRRset | null)[] = []
  for (const key of keys) rrsets.push(await READS[single.by](api, zone, key))
  return rrsets
}

export const zonePath = (zone: Zone): string => `/zones/${encodeURIComponent(zone.id)}`

// Servers before 4.6 ignore the filter and return the whole zone; hence `large` and `pick`.
async function readFiltered(api: ApiClient, zone: Zone, key: RRsetKey): Promise<RawRRset | null> {
  const query = { rrset_name: rawName(key.name, zone), rrset_type: key.type, include_disabled: 'true' }
  return pick(await readRaw(api, zone, zonePath(zone), query), zone, [key])[0] ?? null
}

async function readRaw(api: ApiClient, zone: Zone, path: string, query = {}): Promise<RawRRset[]> {
  const { body } = await api.read(path, { query, large: true, schema: RawZoneData })
  return await parseRRsets(body, zone, api)
}

async function readFound(api: ApiClient, zone: Zone, key: RRsetKey): Promise<RawRRset | null> {
  // A search can't match "*" literally, so "?" is sent instead, which matches any one character.
  const q = rawName(key.name, zone).slice(0, -1).replaceAll('*', '?')
  const query = { q, max: MAX_FOUND, object_type: 'record' }
  const { body: found } = await api.read('/search-data', { query, large: true, schema: RawFound })
  if (found.length >= MAX_FOUND) return pick(await readZone(api, zone), zone, [key])[0] ?? null
  return parseFound(found, zone, key, api)
}

/**
 * How one RRset is read together with its disabled records, which a write must give back:
 * - `filter`: GET of the zone with rrset_name, rrset_type and include_disabled (PowerDNS 5.0).
 * - `search`: before 5.0 that GET leaves disabled records out, but search-data shows them. It walks all zones
 *   and records of the server, so how long it takes has nothing to do with the zone.
 *
 * EXTEND and PRUNE (4.9.12, 5.0.2) would need no read at all, but EXTEND leaves a disabled record of the same
 * content disabled, and the TTL of its siblings as it was.
 */
const READS = { filter: readFiltered, search: readFound }

/** Null if only the whole zone shows everything: with the LMDB backend before 5.0, which can't search. */
async function findSingleRead(api: ApiClient, zone: Zone): Promise<SingleRead | null> {
  const state = api.context.state(newState)
  const { clock } = api.context
  if (state.single === undefined || state.single.until < clock.now()) {
    state.single = { read: await trySingleRead(api, zone), until: clock.now() + KNOWN_MS }
  }
  return state.single.read
}

async function trySingleRead(api: ApiClient, zone: Zone): Promise<SingleRead | null> {
  const { body: server } = await api.read('', { schema: RawServer })
  // "4.7.3", "5.0.0-alpha1"; null for a build from git, which has no number.
  const by = Number.parseInt(server.version, 10) >= 5 ? 'filter' : 'search'
  const begun = performance.now()
  // Every zone has a SOA; if the search doesn't find it, searching doesn't work.
  const soa = await READS[by](api, zone, APEX_SOA)
  return soa === null ? null : { by, ms: performance.now() - begun }
}

function pick(rrsets: RawRRset[], zone: Zone, keys: readonly RRsetKey[]): (RawRRset | null)[] {
  const byKey = new Map(rrsets.map((raw) => [rrsetKey(raw), raw]))
  return keys.map(({ name, type }) => byKey.get(rrsetKey({ name: rawName(name, zone), type })) ?? null)
}
