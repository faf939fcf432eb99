import { randomUUID } from 'node:crypto'
import { readSoa, writeSoa } from '../../../../dns/zone-file/soa.ts'
import { rrsetKey, type RRsetKey } from '../../../../dns/names/rrset.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import { ProviderError, unlessMissing, type Zone } from '../../contract.ts'
import type { ApiClient } from '../../client/client.ts'
import { byCursor } from '../../client/paging.ts'
import { writeXml } from '../../client/xml.ts'
import { byRRset, type SetWrite } from '../../shared/rrsets/by-rrset.ts'
import { dsOf, nameServersOf, raised } from '../../shared/zone-data.ts'
import { changesOf, requestsOf, type Change } from './changes.ts'
import {
  Changed,
  ChangeRead,
  DnssecRead,
  isOutdated,
  NAMESPACE,
  openApi,
  RawSets,
  RawZones,
  RawZonesByName,
  ZoneCreated,
  ZoneRead,
  type OneZone,
  type RawZone,
} from './client.ts'
import {
  fromOctal,
  spell,
  toOctal,
  toSet,
  valuesOf,
  withValues,
  writeOwner,
  writeZoneName,
  xmlOf,
  type RawSet,
} from './record-set.ts'

const ZONES_A_PAGE = 100
const SETS_A_PAGE = 300

/** Where a list of sets continues. */
interface Cursor {
  name: string
  type: string | undefined
  identifier: string | undefined
}

/**
 * Route 53: sets of records, changed in batches. Each batch is applied as a whole or not at all, and takes
 * effect some time after the response.
 */
export const open = byRRset({
  api: openApi,

  verify: (api) => api.read('/hostedzone', { query: { maxitems: 1 }, as: 'xml', schema: RawZones }),

  listZones: (api) =>
    byCursor(async (marker) => {
      const query = { maxitems: ZONES_A_PAGE, marker }
      const { body } = await api.read('/hostedzone', { query, as: 'xml', schema: RawZones })
      const { HostedZones: zones, IsTruncated: more, NextMarker: next } = body.ListHostedZonesResponse
      if (more === 'true' && !next) throw api.malformed()
      const items = itemsOf<RawZone>(zones, 'HostedZone').map((zone) => toZone(api, zone))
      return { items, next: more === 'true' ? next : null }
    }),

  async findZones(api, name) {
    const found = (await zonesFrom(api, name)).filter((zone) => zone.name === name)
    return await Promise.all(found.map((zone) => withNameServers(api, zone)))
  },

  async createZone(api, { name }) {
    // Route 53 creates any number of zones with the same name.
    if ((await zonesFrom(api, name)).some((zone) => zone.name === name))
      throw new ProviderError('conflict', 'AWS Route 53 already has a hosted zone of this name')
    const request = { Name: writeZoneName(name), CallerReference: randomUUID() }
    const text = writeXml('CreateHostedZoneRequest', request, NAMESPACE)
    const { body } = await api.write('/hostedzone', { ...xml(text), schema: ZoneCreated })
    return fromOne(api, body.CreateHostedZoneResponse)
  },

  async deleteZone(api, zone) {
    await unlessMissing(empty(api, zone))
    await api.write(zonePath(zone), { method: 'DELETE', as: 'xml' })
  },

  listSets: (api, zone) => setPages(api, zone),
  readSet,
  toSet,
  spell: () => spell,
  pageSize: SETS_A_PAGE,
  isOutdated,

  async writeSets(api, zone, writes) {
    const changes: string[] = []
    const failures = new Map<SetWrite<string, RawSet>, ProviderError>()
    // Large sets may exceed the limit of one call.
    for (const [at, request] of requestsOf(writes.map((write) => changesOf(write, zone))).entries()) {
      try {
        changes.push(...(await change(api, zone, request.changes)))
      } catch (error) {
        if (!(error instanceof ProviderError) || at === 0 || isOutdated(error)) throw error
        for (const [place, write] of writes.entries())
          if (request.groups.includes(place)) failures.set(write, error)
      }
    }
    return { changes, failures }
  },

  async isFinished(api, _, id) {
    const { body } = await api.read(`/change/${id}`, { as: 'xml', schema: ChangeRead })
    return body.GetChangeResponse.ChangeInfo.Status === 'INSYNC'
  },

  others: (api) => ({
    async readSoa(zone) {
      const raw = await readSet(api, zone, { name: '@', type: 'SOA' })
      const [rdata = ''] = raw === null ? [] : valuesOf(raw)
      const soa = readSoa(fromOctal(rdata))
      if (soa === null) throw api.malformed()
      return { ...soa, ttl: Number(raw?.TTL) }
    },

    async writeSoa(zone, { ttl, ...soa }) {
      const records = withValues([toOctal(writeSoa(raised(soa)))])
      const set = { Name: writeOwner('@', zone), Type: 'SOA', TTL: String(ttl), ResourceRecords: records }
      await change(api, zone, [{ action: 'UPSERT', set }])
    },

    async readDnssec(zone) {
      const { body } = await api.read(`${zonePath(zone)}/dnssec`, { as: 'xml', schema: DnssecRead })
      const { Status: status, KeySigningKeys: list } = body.GetDNSSECResponse
      const signed = status.ServeSignature === 'SIGNING'
      const keys = itemsOf<{ Status: string; DSRecord?: string }>(list, 'member')
      const active = signed ? keys.filter((key) => key.Status === 'ACTIVE') : []
      return { signed, ds: dsOf(active.map(({ DSRecord: ds = '' }) => ds)) }
    },
  }),
})

/** Zones in a list that begins at that name, and continues with later ones. */
async function zonesFrom(api: ApiClient, name: string): Promise<Zone[]> {
  const query = { dnsname: writeZoneName(name), maxitems: ZONES_A_PAGE }
  const { body } = await api.read('/hostedzonesbyname', { query, as: 'xml', schema: RawZonesByName })
  const zones = itemsOf<RawZone>(body.ListHostedZonesByNameResponse.HostedZones, 'HostedZone')
  return zones.map((zone) => toZone(api, zone))
}

/**
 * Name servers are returned for a single zone only, and need a permission of their own. Many keys lack it
 * and can do without.
 */
async function withNameServers(api: ApiClient, zone: Zone): Promise<Zone> {
  try {
    const { body } = await api.read(zonePath(zone), { as: 'xml', schema: ZoneRead })
    return fromOne(api, body.GetHostedZoneResponse)
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'forbidden') return zone
    throw error
  }
}

/** Deletes all sets that keep Route 53 from deleting the zone. */
async function empty(api: ApiClient, zone: Zone): Promise<void> {
  const changes: Change[][] = []
  for await (const page of setPages(api, zone)) {
    const others = page.filter((raw) => !isOfZone(raw, zone))
    changes.push(...others.map((set): Change[] => [{ action: 'DELETE', set }]))
  }
  for (const request of requestsOf(changes)) await change(api, zone, request.changes)
}

const setPages = (api: ApiClient, zone: Zone) =>
  byCursor(async (cursor) => {
    const start = cursor === undefined ? {} : (JSON.parse(cursor) as Cursor)
    const { sets, next } = await readFrom(api, zone, { ...start, maxitems: SETS_A_PAGE })
    return { items: sets, next: next && JSON.stringify(next) }
  })

/** The list begins at the set, or at its position if it is missing. */
async function readSet(api: ApiClient, zone: Zone, key: RRsetKey): Promise<RawSet | null> {
  const { name, type, routing } = key
  const start = { name: writeOwner(name, zone), type, identifier: routing?.key, maxitems: 1 }
  const { sets } = await readFrom(api, zone, start)
  return sets.find((raw) => rrsetKey(toSet(raw, zone) ?? { name: raw.Name, type }) === rrsetKey(key)) ?? null
}

async function readFrom(api: ApiClient, zone: Zone, query: Partial<Cursor> & { maxitems: number }) {
  const { body } = await api.read(setsPath(zone), { query, as: 'xml', large: true, schema: RawSets })
  const answer = body.ListResourceRecordSetsResponse
  const sets = itemsOf<RawSet>(answer.ResourceRecordSets, 'ResourceRecordSet')
  if (answer.IsTruncated === 'false') return { sets, next: null }
  const { NextRecordName: name, NextRecordType: type, NextRecordIdentifier: identifier } = answer
  if (name === undefined) throw api.malformed()
  return { sets, next: { name, type, identifier } }
}

/** Returns the id of the change if it is not in effect yet. */
async function change(api: ApiClient, zone: Zone, changes: readonly Change[]): Promise<string[]> {
  const all = changes.map(({ action, set }) => ({ Action: action, ResourceRecordSet: xmlOf(set) }))
  const request = { ChangeBatch: { Changes: { Change: all } } }
  const text = writeXml('ChangeResourceRecordSetsRequest', request, NAMESPACE)
  const { body } = await api.write(setsPath(zone), { ...xml(text), schema: Changed })
  const { Id: id, Status: status } = body.ChangeResourceRecordSetsResponse.ChangeInfo
  return status === 'INSYNC' ? [] : [id.replace(/^\/change\//, '')]
}

const zonePath = ({ id }: Zone): string => `/hostedzone/${encodeURIComponent(id)}`

const setsPath = (zone: Zone): string => `${zonePath(zone)}/rrset`

const xml = (text: string) => ({ text, contentType: 'application/xml', as: 'xml' }) as const

function itemsOf<T>(list: string | Record<string, T[] | undefined>, name: string): T[] {
  return typeof list === 'string' ? [] : (list[name] ?? [])
}

function fromOne(api: ApiClient, { HostedZone: [zone], DelegationSet: delegation }: OneZone): Zone {
  if (zone === undefined) throw api.malformed()
  return { ...toZone(api, zone), ...nameServersOf(delegation?.NameServers.NameServer) }
}

function toZone(api: ApiClient, { Id, Name }: RawZone): Zone {
  const name = readName(fromOctal(Name))
  if (name === null) throw api.malformed()
  return { id: Id.replace(/^\/hostedzone\//, ''), name, kind: 'primary' }
}

/** Every zone has these as long as it exists. */
const isOfZone = (raw: RawSet, zone: Zone): boolean =>
  toSet(raw, zone)?.name === '@' && ['NS', 'SOA'].includes(raw.Type)
