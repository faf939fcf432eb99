import { rrsetKey, type RRsetKey } from '../../../../dns/names/rrset.ts'
import { typeOf } from '../../../../dns/types/index.ts'
import type { RRsetEdit, Zone } from '../../contract.ts'
import type { ApiClient } from '../../client/client.ts'
import type { SetKey } from '../../shared/rrsets/by-rrset.ts'
import { knownDisabled, rememberDisabled, withDisabled } from './disabled-records.ts'
import {
  parseRRsets,
  rawName,
  RawServer,
  RawZoneData,
  risingSerial,
  type RawRRset,
  type ZoneAnswer,
} from './raw-data.ts'

/** What is known about a server. `until`: milliseconds since 1970. */
interface ServerState {
  version: { showsDisabled: boolean; until: number } | undefined
}

const newState = (): ServerState => ({ version: undefined })

const VERSION_MS = 10 * 60 * 1000
// Measured on 4.7.3: reading so many records with the whole zone takes as long as reading one RRset.
const RECORDS_A_CALL = 500

/** All RRsets of the zone, disabled records included. */
export const readZone = async (api: ApiClient, zone: Zone): Promise<RawRRset[]> =>
  (await readAnswer(api, zone)).rrsets

/** The SOA, which is never disabled. */
export async function readApexSoa(api: ApiClient, zone: Zone): Promise<RawRRset> {
  const { rrset } = await readFiltered(api, zone, APEX_SOA)
  if (rrset === null) throw api.malformed()
  return rrset
}

const APEX_SOA = { name: '@', type: 'SOA' }

/** An RRset to be read. `known`: as in `RRsetEdit`. */
type WantedSet = SetKey & Pick<RRsetEdit, 'known'>

/**
 * Returns the RRset of each key with its disabled records, which a write must repeat; null if there are none.
 *
 * In a large zone, each RRset is read alone. PowerDNS 5.0 and later then includes disabled records; to answers of older
 * versions they are added if they are known. Otherwise, the whole zone is read.
 *
 * EXTEND and PRUNE (4.9.12, 5.0.2) would need no read at all, but EXTEND leaves a disabled record of the same
 * content disabled, and the TTL of its siblings as it was.
 */
export async function readRRsets(
  api: ApiClient,
  zone: Zone,
  keys: readonly WantedSet[],
): Promise<(RawRRset | null)[]> {
  const { size = 0 } = zone
  if (keys.length * RECORDS_A_CALL < size) {
    if (await showsDisabled(api)) return (await readEach(api, zone, keys)).map(({ rrset }) => rrset)
    const found = await readBesideKnown(api, zone, keys)
    if (found !== null) return found
  }
  const { serial, rrsets } = await readAnswer(api, zone)
  const byKey = new Map(rrsets.map((raw) => [rrsetKey(raw), raw]))
  const [soa, ...found] = [APEX_SOA, ...keys].map((key) => byKey.get(rrsetKey(toRawKey(key, zone))) ?? null)
  if (size > RECORDS_A_CALL) rememberDisabled(api, zone, { serial: isSingle(soa) ? serial : null, rrsets })
  return found
}

export const zonePath = (zone: Zone): string => `/zones/${encodeURIComponent(zone.id)}`

async function readEach(api: ApiClient, zone: Zone, keys: readonly RRsetKey[]): Promise<FilteredAnswer[]> {
  const found: FilteredAnswer[] = []
  for (const key of keys) found.push(await readFiltered(api, zone, key))
  return found
}

/** Null if not all disabled records are known. */
async function readBesideKnown(
  api: ApiClient,
  zone: Zone,
  keys: readonly WantedSet[],
): Promise<(RawRRset | null)[] | null> {
  const known = knownDisabled(api, zone)
  if (known === null) return null
  const [answers, soa] = await Promise.all([readEach(api, zone, keys), readFiltered(api, zone, APEX_SOA)])
  if ([soa, ...answers].some(({ serial }) => serial !== known.serial) || !isSingle(soa.rrset)) return null
  const found = answers.map(({ rrset, key }) => withDisabled(rrset, known.disabled.get(rrsetKey(key))))
  return keys.every((key, at) => hasKnown(key, found[at])) ? found : null
}

/**
 * PowerDNS carries out several writes at the same time, and on PostgreSQL each may then leave a SOA of its own, with the
 * same serial or another.
 */
const isSingle = (soa: RawRRset | null | undefined): boolean => soa?.records.length === 1

/** A missing value may have been disabled in the database, which leaves the serial unchanged. */
function hasKnown({ type, known = [] }: WantedSet, rrset: RawRRset | null | undefined): boolean {
  const values = new Set(rrset?.records.map(({ content }) => typeOf(type).read(content)))
  return known.every((value) => values.has(value))
}

interface FilteredAnswer extends Pick<ZoneAnswer, 'serial'> {
  /** With the name as PowerDNS has it. */
  key: RRsetKey
  rrset: RawRRset | null
}

// Servers before 4.6 ignore the filter and return the whole zone.
async function readFiltered(api: ApiClient, zone: Zone, wanted: RRsetKey): Promise<FilteredAnswer> {
  const key = toRawKey(wanted, zone)
  const query = { rrset_name: key.name, rrset_type: key.type, include_disabled: 'true' }
  const { serial, rrsets } = await readAnswer(api, zone, query)
  return { serial, key, rrset: rrsets.find((raw) => rrsetKey(raw) === rrsetKey(key)) ?? null }
}

async function readAnswer(api: ApiClient, zone: Zone, query = {}): Promise<ZoneAnswer> {
  const { body } = await api.read(zonePath(zone), { query, large: true, schema: RawZoneData })
  return { serial: risingSerial(body), rrsets: await parseRRsets(body, zone, api) }
}

/** Whether answers for one RRset include disabled records (PowerDNS 5.0). */
async function showsDisabled(api: ApiClient): Promise<boolean> {
  const state = api.context.state(newState)
  const { clock } = api.context
  if (state.version === undefined || state.version.until < clock.now()) {
    const { body: server } = await api.read('', { schema: RawServer })
    // "4.7.3", "5.0.0-alpha1"; NaN for a build from git, which has no number.
    const isNew = Number.parseInt(server.version, 10) >= 5
    state.version = { showsDisabled: isNew, until: clock.now() + VERSION_MS }
  }
  return state.version.showsDisabled
}

const toRawKey = ({ name, type }: RRsetKey, zone: Zone): RRsetKey => ({ name: rawName(name, zone), type })
