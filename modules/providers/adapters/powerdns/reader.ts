import { absoluteName } from '../../../../dns/names.ts'
import type { RecordType } from '../../../../schemas/record-type.ts'
import type { Zone } from '../../contract.ts'
import { isObject, malformed, type Client } from './client.ts'
import type { Way } from './server-state.ts'
import { parseFound, parseRRsets, type RawRRset } from './zone-data.ts'

const KNOWN_MS = 10 * 60 * 1000
// Records that share their name or content with the one looked for: seldom more than a few.
const MAX_FOUND = 1000
const PARALLEL_READS = 4
// Measured on 4.7.3 with SQLite, reading and parsing: 1.5 ms for each single read, also four at a time;
// for a zone of 50 records 1.5 ms, of 10,000 records 60 ms. How large a zone is can't be known before.
// Ten single reads cost too much in no zone; from there on the whole is cheaper in all but the largest.
const MAX_SINGLE_READS = 10

export interface RRsetKey {
  name: string
  type: RecordType
}

/** All RRsets of the zone, disabled records included. */
export async function readZone(client: Client, zone: Zone): Promise<RawRRset[]> {
  return parseRRsets(await client.get(zonePath(zone), { large: true }), zone)
}

/** The enabled records of one RRset; without records when there are none. */
export function readEnabled(client: Client, zone: Zone, key: RRsetKey): Promise<RawRRset> {
  return readFiltered(client, zone, key)
}

/** For each key the RRset with its disabled records; without records when there are none. */
export async function readForWrite(client: Client, zone: Zone, keys: RRsetKey[]): Promise<RawRRset[]> {
  if (keys.length > MAX_SINGLE_READS) return pick(await readZone(client, zone), zone, keys)
  const way = await findWay(client, zone)
  if (way === 'zone') return pick(await readZone(client, zone), zone, keys)
  const read = way === 'filter' ? readFiltered : readFound
  return mapParallel(keys, PARALLEL_READS, (key) => read(client, zone, key))
}

export const zonePath = (zone: Zone): string => `/zones/${encodeURIComponent(zone.id)}`

const wireName = (zone: Zone, name: string): string => `${absoluteName(name, zone.name)}.`

// Servers before 4.6 ignore the filter and answer the whole zone: hence `large` and `pick`.
async function readFiltered(client: Client, zone: Zone, key: RRsetKey): Promise<RawRRset> {
  const query = new URLSearchParams({
    rrset_name: wireName(zone, key.name),
    rrset_type: key.type,
    include_disabled: 'true',
  })
  const rrsets = parseRRsets(await client.get(`${zonePath(zone)}?${query.toString()}`, { large: true }), zone)
  return pickOne(rrsets, zone, key)
}

async function readFound(client: Client, zone: Zone, key: RRsetKey): Promise<RawRRset> {
  const name = absoluteName(key.name, zone.name)
  // A search can't be told that "*" is meant literally; "?" stands for any one character, so also for it.
  const found = await search(client, name.replaceAll('*', '?'), MAX_FOUND)
  if (found.length >= MAX_FOUND) return pickOne(await readZone(client, zone), zone, key)
  return parseFound(found, zone, `${name}.`, key.type)
}

async function search(client: Client, pattern: string, max: number): Promise<unknown[]> {
  const query = new URLSearchParams({ q: pattern, max: String(max), object_type: 'record' })
  const found = await client.get(`/search-data?${query.toString()}`, { large: true })
  if (!Array.isArray(found)) throw malformed()
  return found
}

/**
 * The way to read one RRset together with its disabled records, which a write must give back:
 * - `filter`: GET of the zone with rrset_name, rrset_type and include_disabled (PowerDNS 5.0).
 * - `search`: before 5.0 that GET leaves disabled records out, but search-data shows them.
 * - `zone`: before 5.0 the LMDB backend can't search; only the whole zone shows everything.
 */
async function findWay(client: Client, zone: Zone): Promise<Way> {
  const { state } = client
  if (state.way === undefined || state.way.until < Date.now()) {
    state.way = { is: await askWay(client, zone), until: Date.now() + KNOWN_MS }
  }
  return state.way.is
}

async function askWay(client: Client, zone: Zone): Promise<Way> {
  const server = await client.get('')
  if (!isObject(server) || typeof server['version'] !== 'string') throw malformed()
  // "4.7.3", "5.0.0-alpha1"; a build from git has no number, and we don't guess.
  if (Number.parseInt(server['version'], 10) >= 5) return 'filter'
  // Every zone has a record at its apex: where a search doesn't find it, searching doesn't work.
  const apex = await search(client, zone.name, 1)
  return apex.length > 0 ? 'search' : 'zone'
}

function pick(rrsets: RawRRset[], zone: Zone, keys: RRsetKey[]): RawRRset[] {
  const byKey = new Map(rrsets.map((rrset) => [`${rrset.name.toLowerCase()} ${rrset.type}`, rrset]))
  return keys.map(({ name, type }) => {
    const wire = wireName(zone, name)
    return byKey.get(`${wire} ${type}`) ?? { name: wire, type, ttl: 0, records: [] }
  })
}

function pickOne(rrsets: RawRRset[], zone: Zone, key: RRsetKey): RawRRset {
  const [rrset] = pick(rrsets, zone, [key])
  if (rrset === undefined) throw malformed()
  return rrset
}

async function mapParallel<T, R>(items: T[], parallel: number, map: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const work = async () => {
    for (const [index, item] of queue) results[index] = await map(item)
  }
  await Promise.all(Array.from({ length: parallel }, work))
  return results
}
