import { Type } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { unlessMissing, unlessThere } from '../../contract.ts'
import type { ChangeOutcome, DnsAdapter, NewZone, RRset, RRsetEdit, RRsetPage, Zone } from '../../contract.ts'
import type { AdapterContext } from '../../context.ts'
import { applyOneByOne } from '../../shared/applied-records.ts'
import {
  collectRecords,
  toPages,
  toRRset,
  type HeldRecord,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import type { ApiClient } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import type { Credentials } from './account.ts'
import { Page, RawDomain, RawRecord, openApi } from './client.ts'
import { readRecord, writeContent } from './record-data.ts'

const PAGE_SIZE = 200

/** All domains have these. */
const NAME_SERVERS = ['ns1.digitalocean.com', 'ns2.digitalocean.com', 'ns3.digitalocean.com']

const Domain = Type.Object({ domain: RawDomain })
const Domains = Page({ domains: Type.Array(RawDomain) })
const Record = Type.Object({ domain_record: Type.Object({ id: Type.Integer() }) })
const Records = Page({ domain_records: Type.Array(RawRecord) })

/** DigitalOcean: records with ids, written one by one. */
export class DigitalOceanAdapter implements DnsAdapter {
  readonly #api: ApiClient

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#domainPage(1)
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    for await (const domains of byNumber((page) => this.#domainPage(page), { size: PAGE_SIZE, max }))
      yield domains.map(toZone)
  }

  async #domainPage(page: number) {
    const query = { page, per_page: PAGE_SIZE }
    const { body } = await this.#api.read('/domains', { query, schema: Domains })
    return { items: body.domains, total: body.meta.total }
  }

  async findZones(name: string): Promise<Zone[]> {
    const found = await unlessMissing(this.#api.read(domainPath(name), { schema: Domain }))
    return found === null ? [] : [toZone(found.body.domain)]
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const made = this.#api.write('/domains', { json: { name }, schema: Domain })
    const { body } = await unlessThere(made, () => this.findZones(name))
    return toZone(body.domain)
  }

  async deleteZone(zone: Zone): Promise<void> {
    await this.#delete(domainPath(zone.id))
  }

  async #delete(path: string): Promise<void> {
    await unlessMissing(this.#api.write(path, { method: 'DELETE', as: 'none' }))
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readZone(zone))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const { held } = await this.#readZone(zone, { type, name: absoluteName(name, zone.name) })
    return held.filter((one) => one.name === name && one.type === type)
  }

  async #readZone(zone: Zone, query: { type?: string; name?: string } = {}) {
    const read = async (page: number) => {
      const { body } = await this.#api.read(recordsPath(zone), {
        query: { page, per_page: PAGE_SIZE, ...query },
        schema: Records,
      })
      return { items: body.domain_records, total: body.meta.total }
    }
    const { maxZoneRecords: max } = this.#api.context
    return await collectRecords(byNumber(read, { size: PAGE_SIZE, max }), (raw) => readRecord(raw, zone))
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    return await applyOneByOne(edits, {
      readAll: async () => (await this.#readZone(zone)).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#write(zone, edit, record),
    })
  }

  /** Answers the id of the record. */
  async #write(zone: Zone, { name, type }: RRsetEdit, { write, held, member, ttl }: PlannedRecord) {
    const path = held === null ? recordsPath(zone) : `${recordsPath(zone)}/${held.id}`
    if (write === 'delete') {
      await this.#delete(path)
      return null
    }
    const json = { type, name, ttl, ...writeContent(type, member.value) }
    const method = held === null ? 'POST' : 'PUT'
    const { body } = await this.#api.write(path, { method, json, schema: Record })
    return String(body.domain_record.id)
  }
}

/** An id of a zone is its name. */
const domainPath = (name: string): string => `/domains/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${domainPath(id)}/records`

const toZone = ({ name }: { name: string }): Zone => ({
  id: name,
  name: name.toLowerCase(),
  nameServers: NAME_SERVERS,
})

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new DigitalOceanAdapter(openApi(credentials, context))
