import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import { registrableDomain } from '../../../../dns/names/domain-names.ts'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import type { AdapterContext } from '../../context.ts'
import { ProviderError, unlessMissing } from '../../contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  NewZone,
  RRset,
  RRsetEdit,
  RRsetPage,
  Unfinished,
  Zone,
} from '../../contract.ts'
import {
  collectRecords,
  outcomesOf,
  planRecords,
  toPages,
  toRRset,
  writesOf,
  type HeldRecord,
  type HeldRecords,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import type { ApiClient } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import type { Credentials } from './account.ts'
import { isOutdated, openApi, Page, RawRecord, RawZone } from './client.ts'
import { readRecord, writeOwner, writeRecord } from './record-data.ts'

const PAGE_SIZE = 1000
/** With more edits all records are read: a page of them has more than an answer about one name. */
const MAX_SINGLE_READS = 5
const MAX_TRIES = 4

const Zones = Page({ dns_zones: Type.Array(RawZone) })
const Records = Page({ records: Type.Array(RawRecord) })
const Made = Type.Object({ records: Type.Array(Type.Object({ id: Type.String() })) })

/** Scaleway: records with ids that last until the record changes, all changes of a call in one version of the zone. */
class ScalewayAdapter implements DnsAdapter {
  readonly #api: ApiClient
  readonly #projectId: string
  readonly #spelled = new WeakMap<HeldRecord, RawRecord>()

  constructor(api: ApiClient, projectId: string) {
    this.#api = api
    this.#projectId = projectId
  }

  async verify(): Promise<void> {
    const { items } = await this.#zonePage(1)
    if (items.length > 0) return
    const query = { page: 1, page_size: 1 }
    const { body } = await this.#api.read('/dns-zones', { query, schema: Zones })
    // To a project that is not there, or somebody else's, it says as little.
    if (body.total_count > 0)
      throw new ProviderError(
        'not_found',
        'Scaleway has zones for this key in other projects than this one alone',
      )
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    for await (const zones of byNumber((page) => this.#zonePage(page), { size: PAGE_SIZE, max }))
      yield zones.map(toZone)
  }

  async findZones(name: string): Promise<Zone[]> {
    return (await this.#find(name)).map(toZone)
  }

  async #find(name: string): Promise<RawZone[]> {
    const { items } = await this.#zonePage(1, name)
    return items.filter((raw) => nameOf(raw) === name)
  }

  async #zonePage(page: number, name?: string) {
    const query = {
      project_id: this.#projectId,
      dns_zones: name,
      order_by: 'domain_asc',
      page,
      page_size: PAGE_SIZE,
    }
    const { body } = await this.#api.read('/dns-zones', { query, schema: Zones, large: true })
    return { items: body.dns_zones, total: body.total_count }
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const domain = registrableDomain(name)
    const json = { domain, subdomain: name.slice(0, -domain.length - 1), project_id: this.#projectId }
    const { body } = await this.#api.write('/dns-zones', { json, schema: RawZone })
    return toZone(body)
  }

  async deleteZone(zone: Zone): Promise<void> {
    const query = { project_id: this.#projectId }
    await unlessMissing(this.#api.write(zonePath(zone), { method: 'DELETE', query }))
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#collect(this.#pages(zone), zone))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  async #readSet(zone: Zone, key: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const { held } = await this.#collect(this.#pagesOf(zone, key), zone)
    return held.filter((one) => rrsetKey(one) === rrsetKey(key))
  }

  /** Of the apex, which can't be asked for, as '' is no name there: but it comes first. */
  async *#pagesOf(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>) {
    const owner = writeOwner(name)
    for await (const page of this.#pages(zone, { type, ...(owner !== '' && { name: owner }) })) {
      yield page
      if (page.at(-1)?.name !== owner) return
    }
  }

  #pages(zone: Zone, query: { name?: string; type?: string } = {}): AsyncGenerator<RawRecord[]> {
    const read = async (page: number) => {
      const { body } = await this.#api
        .read(`${zonePath(zone)}/records`, {
          query: { order_by: 'name_asc', page, page_size: PAGE_SIZE, ...query },
          schema: Records,
          large: true,
        })
        .catch((error: unknown) => this.#whyForbidden(zone, error))
      return { items: body.records, total: body.total_count }
    }
    return byNumber(read, { size: PAGE_SIZE, max: this.#api.context.maxZoneRecords })
  }

  #collect(pages: AsyncIterable<RawRecord[]>, zone: Zone): Promise<HeldRecords> {
    return collectRecords(pages, (raw) => readRecord(raw, zone), this.#spelled)
  }

  /** Of zones that are not there it says that they are somebody else's. */
  async #whyForbidden(zone: Zone, error: unknown): Promise<never> {
    const isForbidden = error instanceof ProviderError && error.kind === 'forbidden'
    if (!isForbidden || (await this.#find(zone.name)).length > 0) throw error
    throw new ProviderError('not_found', 'Scaleway does not have this zone in this project')
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][] | Unfinished> {
    let sets = await this.#readSets(zone, edits)
    for (let tries = 1; ; tries++) {
      try {
        return await this.#write(zone, edits, sets)
      } catch (error) {
        if (tries === MAX_TRIES || !isOutdated(error)) throw error
        const before = sets
        sets = await this.#readSets(zone, edits)
        // It is not for what somebody else did that it was refused.
        if (isDeepStrictEqual(before, sets)) throw error
      }
    }
  }

  /** The records of each edit's name and type. */
  async #readSets(zone: Zone, edits: RRsetEdit[]): Promise<HeldRecord[][]> {
    if (edits.length > MAX_SINGLE_READS) {
      const { held } = await this.#collect(this.#pages(zone), zone)
      const all = Map.groupBy(held, rrsetKey)
      return edits.map((edit) => all.get(rrsetKey(edit)) ?? [])
    }
    const sets: HeldRecord[][] = []
    for (const edit of edits) sets.push(await this.#readSet(zone, edit))
    return sets
  }

  async #write(
    zone: Zone,
    edits: RRsetEdit[],
    sets: HeldRecord[][],
  ): Promise<ChangeOutcome[][] | Unfinished> {
    const plans = edits.map((edit, at) => planRecords(edit, sets[at] ?? []))
    const owners = new Map(plans.flatMap((plan, at) => plan.map((record) => [record, edits[at]] as const)))
    const writes = writesOf(plans.flat())
    const changes = writes.map((record) => {
      const edit = owners.get(record)
      const raw = record.held === null ? undefined : this.#spelled.get(record.held)
      return changeOf(record, edit === undefined ? [] : [writeRecord(edit, record, raw, zone)])
    })
    const done = await this.#patch(zone, writes, changes)
    const outcomes = edits.map((edit, at) => outcomesOf(edit, plans[at] ?? [], done))
    return writes.length === 0 ? outcomes : { outcomes, change: zone.name }
  }

  async #patch(zone: Zone, writes: PlannedRecord[], changes: object[]) {
    if (writes.length === 0) return new Map<PlannedRecord, ChangeOutcome>()
    // Else a zone that is not there would be made.
    const json = { changes, return_all_records: false, disallow_new_zone_creation: true }
    const { body } = await this.#api
      .write(`${zonePath(zone)}/records`, { method: 'PATCH', json, schema: Made })
      .catch((error: unknown) => this.#whyForbidden(zone, error))
    const ids = body.records.map(({ id }) => id)
    const idOf = ({ write }: PlannedRecord) => (write === 'delete' ? null : (ids.shift() ?? null))
    return new Map(
      writes.map((record): [PlannedRecord, ChangeOutcome] => [
        record,
        { ok: true, providerId: idOf(record) },
      ]),
    )
  }

  async isFinished(_: Zone, name: string): Promise<boolean> {
    const [zone] = await this.#find(name)
    if (zone?.status !== 'error') return zone?.status !== 'pending'
    throw new ProviderError('rejected', `Scaleway gave this up: ${zone.message ?? 'without a reason'}`)
  }
}

function changeOf({ write, held }: PlannedRecord, records: object[]): object {
  if (held === null) return { add: { records } }
  return write === 'delete' ? { delete: { id: held.id } } : { set: { id: held.id, records } }
}

const zonePath = ({ id }: Zone): string => `/dns-zones/${encodeURIComponent(id)}`

const nameOf = ({ domain, subdomain }: RawZone): string =>
  (subdomain === '' ? domain : `${subdomain}.${domain}`).toLowerCase()

const toZone = (raw: RawZone): Zone => ({
  id: nameOf(raw),
  name: nameOf(raw),
  ...(raw.ns?.length && { nameServers: raw.ns.map((server) => server.toLowerCase().replace(/\.$/, '')) }),
})

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new ScalewayAdapter(openApi(credentials, context), credentials.projectId)
