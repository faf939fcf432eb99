import { randomUUID } from 'node:crypto'
import { readSoa, writeSoa } from '../../../../dns/zone-file/soa.ts'
import { rrsetKey, type Routing } from '../../../../dns/names/rrset.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { AdapterContext } from '../../context.ts'
import { ProviderError, unlessMissing } from '../../contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  Dnssec,
  NewZone,
  RRsetEdit,
  RRsetPage,
  Soa,
  Unfinished,
  Zone,
} from '../../contract.ts'
import { allDone } from '../../shared/edited-set.ts'
import { toPage, toRRset } from '../../shared/listed-sets.ts'
import type { ApiClient } from '../../client/client.ts'
import { byCursor } from '../../client/paging.ts'
import { writeXml } from '../../client/xml.ts'
import { readEach, whileOutdated } from '../../shared/outdated.ts'
import type { Credentials } from './account.ts'
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
import { fromOctal, toOctal } from './octal.ts'
import {
  ownerOf,
  spell,
  toListed,
  valuesOf,
  withValues,
  writeOwner,
  writeZoneName,
  xmlOf,
  type RawSet,
} from './record-set.ts'

const ZONES_A_PAGE = 100
const SETS_A_PAGE = 300

/** Makes no call. */
export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new Route53Adapter(openApi(credentials, context))

type SetKey = Pick<RRsetEdit, 'name' | 'type' | 'routing'>

/** Where a list continues. */
interface Cursor {
  name: string
  type: string | undefined
  identifier: string | undefined
}

/**
 * Route 53: sets of records, changed in batches. Each batch is applied as a whole or not at all, and takes
 * effect some time after the response.
 */
class Route53Adapter implements DnsAdapter {
  readonly #api: ApiClient

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#api.read('/hostedzone', { query: { maxitems: 1 }, as: 'xml', schema: RawZones })
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = async (marker?: string) => {
      const query = { maxitems: ZONES_A_PAGE, marker }
      const { body } = await this.#api.read('/hostedzone', { query, as: 'xml', schema: RawZones })
      const { HostedZones: zones, IsTruncated: more, NextMarker: next } = body.ListHostedZonesResponse
      if (more === 'true' && !next) throw this.#api.malformed()
      return { items: itemsOf<RawZone>(zones, 'HostedZone'), next: more === 'true' ? next : null }
    }
    for await (const zones of byCursor(read, { max })) yield zones.map((zone) => this.#toZone(zone))
  }

  async findZones(name: string): Promise<Zone[]> {
    const query = { dnsname: writeZoneName(name), maxitems: ZONES_A_PAGE }
    const { body } = await this.#api.read('/hostedzonesbyname', { query, as: 'xml', schema: RawZonesByName })
    const raw = itemsOf<RawZone>(body.ListHostedZonesByNameResponse.HostedZones, 'HostedZone')
    // The list begins at that name, and continues with later ones.
    const found = raw.map((zone) => this.#toZone(zone)).filter((zone) => zone.name === name)
    return Promise.all(found.map((zone) => this.#withNameServers(zone)))
  }

  /**
   * Name servers are returned for a single zone only, and need a permission of their own. Many keys lack it
   * and can do without.
   */
  async #withNameServers(zone: Zone): Promise<Zone> {
    try {
      const { body } = await this.#api.read(zonePath(zone), { as: 'xml', schema: ZoneRead })
      return this.#fromOne(body.GetHostedZoneResponse)
    } catch (error) {
      if (error instanceof ProviderError && error.kind === 'forbidden') return zone
      throw error
    }
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    // Route 53 creates any number of zones with the same name.
    if ((await this.findZones(name)).length > 0)
      throw new ProviderError('conflict', 'AWS Route 53 already has a hosted zone of this name')
    const request = { Name: writeZoneName(name), CallerReference: randomUUID() }
    const text = writeXml('CreateHostedZoneRequest', request, NAMESPACE)
    const { body } = await this.#api.write('/hostedzone', { ...xml(text), schema: ZoneCreated })
    return this.#fromOne(body.CreateHostedZoneResponse)
  }

  async deleteZone(zone: Zone): Promise<void> {
    await unlessMissing(this.#empty(zone))
    await unlessMissing(this.#api.write(zonePath(zone), { method: 'DELETE', as: 'xml' }))
  }

  /** Deletes all sets that keep Route 53 from deleting the zone. */
  async #empty(zone: Zone): Promise<void> {
    const changes: Change[][] = []
    for await (const page of this.#readPages(zone)) {
      const others = page.filter((raw) => !isOfZone(raw, zone))
      changes.push(...others.map((set): Change[] => [{ action: 'DELETE', set }]))
    }
    for (const request of requestsOf(changes)) await this.#change(zone, request.changes)
  }

  async readSoa(zone: Zone): Promise<Soa> {
    const raw = await this.#readSet(zone, { name: '@', type: 'SOA' })
    const [rdata = ''] = raw === null ? [] : valuesOf(raw)
    const soa = readSoa(fromOctal(rdata))
    if (soa === null) throw this.#api.malformed()
    return { ...soa, ttl: Number(raw?.TTL) }
  }

  async writeSoa(zone: Zone, { ttl, ...soa }: Soa): Promise<void> {
    // Route 53 does not raise the serial.
    const rdata = toOctal(writeSoa({ ...soa, serial: (soa.serial + 1) % 2 ** 32 }))
    const set = {
      Name: writeOwner('@', zone),
      Type: 'SOA',
      TTL: String(ttl),
      ResourceRecords: withValues([rdata]),
    }
    await this.#change(zone, [{ action: 'UPSERT', set }])
  }

  async readDnssec(zone: Zone): Promise<Dnssec> {
    const { body } = await this.#api.read(`${zonePath(zone)}/dnssec`, { as: 'xml', schema: DnssecRead })
    const { Status: status, KeySigningKeys: list } = body.GetDNSSECResponse
    const signed = status.ServeSignature === 'SIGNING'
    const keys = itemsOf<{ Status: string; DSRecord?: string }>(list, 'member')
    const active = signed ? keys.filter((key) => key.Status === 'ACTIVE') : []
    return { signed, ds: active.flatMap(({ DSRecord: ds = '' }) => typeOf('DS').read(ds) ?? []) }
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    for await (const page of this.#readPages(zone))
      yield toPage(
        page.flatMap((raw) => toListed(raw, zone) ?? []),
        spell,
      )
  }

  async *#readPages(zone: Zone): AsyncGenerator<RawSet[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = async (cursor?: string) => {
      const start = cursor === undefined ? {} : (JSON.parse(cursor) as Cursor)
      const { sets, next } = await this.#readFrom(zone, { ...start, maxitems: SETS_A_PAGE })
      return { items: sets, next: next && JSON.stringify(next) }
    }
    yield* byCursor(read, { max })
  }

  async readRRset(zone: Zone, name: string, type: RecordType, routing?: Routing | null) {
    const raw = await this.#readSet(zone, { name, type, routing: routing ?? null })
    const listed = raw && toListed(raw, zone)
    return listed && toRRset(listed, spell)
  }

  /** The list begins at the set, or at its position if it is missing. */
  async #readSet(zone: Zone, key: Omit<SetKey, 'type'> & { type: string }): Promise<RawSet | null> {
    const { name, type, routing } = key
    const start = { name: writeOwner(name, zone), type, identifier: routing?.key, maxitems: 1 }
    const { sets } = await this.#readFrom(zone, start)
    return sets.find((raw) => rrsetKey(keyOf(raw, zone)) === rrsetKey(key)) ?? null
  }

  async #readFrom(zone: Zone, query: Partial<Cursor> & { maxitems: number }) {
    const { body } = await this.#api.read(setsPath(zone), { query, as: 'xml', large: true, schema: RawSets })
    const answer = body.ListResourceRecordSetsResponse
    const sets = itemsOf<RawSet>(answer.ResourceRecordSets, 'ResourceRecordSet')
    if (answer.IsTruncated === 'false') return { sets, next: null }
    const { NextRecordName: name, NextRecordType: type, NextRecordIdentifier: identifier } = answer
    if (name === undefined) throw this.#api.malformed()
    return { sets, next: { name, type, identifier } }
  }

  apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][] | Unfinished> {
    return whileOutdated(async () => {
      const groups = changesOf(zone, edits, await this.#readSets(zone, edits))
      const outcomes = allDone(edits)
      const unfinished: string[] = []
      // Large sets may exceed the limit of one call.
      for (const [at, { changes, groups: places }] of requestsOf(groups).entries()) {
        try {
          const id = await this.#change(zone, changes)
          if (id !== null) unfinished.push(id)
        } catch (error) {
          if (!(error instanceof ProviderError) || at === 0 || isOutdated(error)) throw error
          for (const place of places)
            outcomes[place] = outcomes[place]?.map(() => ({ ok: false, error })) ?? []
        }
      }
      return unfinished.length === 0 ? outcomes : { outcomes, change: unfinished.join(' ') }
    }, isOutdated)
  }

  /** Returns the id of the change if it is not in effect yet. */
  async #change(zone: Zone, changes: readonly Change[]): Promise<string | null> {
    const request = {
      ChangeBatch: {
        Changes: {
          Change: changes.map(({ action, set }) => ({ Action: action, ResourceRecordSet: xmlOf(set) })),
        },
      },
    }
    const text = writeXml('ChangeResourceRecordSetsRequest', request, NAMESPACE)
    const { body } = await this.#api.write(setsPath(zone), { ...xml(text), schema: Changed })
    const { Id: id, Status: status } = body.ChangeResourceRecordSetsResponse.ChangeInfo
    return status === 'INSYNC' ? null : id.replace(/^\/change\//, '')
  }

  async isFinished(_: Zone, change: string): Promise<boolean> {
    for (const id of change.split(' ')) {
      const { body } = await this.#api.read(`/change/${id}`, { as: 'xml', schema: ChangeRead })
      if (body.GetChangeResponse.ChangeInfo.Status !== 'INSYNC') return false
    }
    return true
  }

  #readSets(zone: Zone, edits: RRsetEdit[]): Promise<(RawSet | null)[]> {
    return readEach(edits, {
      pages: Math.ceil((zone.size ?? 0) / SETS_A_PAGE),
      one: (edit) => this.#readSet(zone, edit),
      all: () => this.#readPages(zone),
      keyOf: (raw) => keyOf(raw, zone),
    })
  }

  #fromOne({ HostedZone: [zone], DelegationSet: delegation }: OneZone): Zone {
    if (zone === undefined) throw this.#api.malformed()
    const servers = (delegation?.NameServers.NameServer ?? []).flatMap((server) => readName(server) ?? [])
    return { ...this.#toZone(zone), ...(servers.length > 0 && { nameServers: servers }) }
  }

  #toZone({ Id, Name }: RawZone): Zone {
    const name = readName(fromOctal(Name))
    if (name === null) throw this.#api.malformed()
    return { id: Id.replace(/^\/hostedzone\//, ''), name, kind: 'primary' }
  }
}

const zonePath = ({ id }: Zone): string => `/hostedzone/${encodeURIComponent(id)}`

const setsPath = (zone: Zone): string => `${zonePath(zone)}/rrset`

const xml = (text: string) => ({ text, contentType: 'application/xml', as: 'xml' }) as const

function itemsOf<T>(list: string | Record<string, T[] | undefined>, name: string): T[] {
  return typeof list === 'string' ? [] : (list[name] ?? [])
}

function keyOf(raw: RawSet, zone: Zone) {
  const { Type: type, SetIdentifier: identifier } = raw
  const routing = identifier === undefined ? null : { key: identifier }
  return { name: ownerOf(raw, zone) ?? raw.Name, type, routing }
}

/** Every zone has these as long as it exists. */
const isOfZone = (raw: RawSet, zone: Zone): boolean =>
  ownerOf(raw, zone) === '@' && ['NS', 'SOA'].includes(raw.Type)
