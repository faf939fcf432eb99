import { Type } from '@sinclair/typebox'
import type { RecordType } from '../../../../dns/types/index.ts'
import { unlessMissing, unlessThere } from '../../contract.ts'
import type {
  AdapterContext,
  ChangeOutcome,
  DnsAdapter,
  NewZone,
  RRset,
  RRsetEdit,
  RRsetPage,
  Zone,
} from '../../contract.ts'
import { applyOneByOne } from '../../shared/applied-records.ts'
import {
  collectRecords,
  toPages,
  toRRset,
  type HeldRecord,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import type { ApiClient } from '../../client/client.ts'
import { byCursor } from '../../client/paging.ts'
import type { Credentials } from './account.ts'
import { openApi, Page, RawDomain, RawRecord } from './client.ts'
import { readRecord, writeData } from './record-data.ts'

const PAGE_SIZE = 500

/** All domains have these. */
const NAME_SERVERS = ['ns1.vultr.com', 'ns2.vultr.com']

const Domain = Type.Object({ domain: RawDomain })
const Domains = Page({ domains: Type.Array(RawDomain) })
const Record = Type.Object({ record: Type.Object({ id: Type.String() }) })
const Records = Page({ records: Type.Array(RawRecord) })

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new VultrAdapter(openApi(credentials, context))

/** Vultr: records with ids, written one by one, and listed as a whole alone. */
class VultrAdapter implements DnsAdapter {
  readonly #api: ApiClient

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#domainPage()
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    for await (const domains of byCursor((cursor) => this.#domainPage(cursor), { max }))
      yield domains.map(toZone)
  }

  async #domainPage(cursor?: string) {
    const query = { per_page: PAGE_SIZE, cursor }
    const { body } = await this.#api.read('/domains', { query, schema: Domains })
    return { items: body.domains, next: body.meta.links.next }
  }

  async findZones(name: string): Promise<Zone[]> {
    const found = await unlessMissing(this.#api.read(domainPath(name), { schema: Domain }))
    return found === null ? [] : [toZone(found.body.domain)]
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const made = this.#api.write('/domains', { json: { domain: name }, schema: Domain })
    const { body } = await unlessThere(made, () => this.findZones(name))
    return toZone(body.domain)
  }

  async deleteZone(zone: Zone): Promise<void> {
    await this.#delete(domainPath(zone.id))
  }

  async #delete(path: string): Promise<void> {
    await unlessMissing(this.#api.write(path, { method: 'DELETE', as: 'empty' }))
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readZone(zone))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  // Nothing less than the whole zone can be asked for.
  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const { held } = await this.#readZone(zone)
    return held.filter((one) => one.name === name && one.type === type)
  }

  async #readZone(zone: Zone) {
    const read = async (cursor?: string) => {
      const query = { per_page: PAGE_SIZE, cursor }
      const { body } = await this.#api.read(recordsPath(zone), { query, schema: Records, large: true })
      return { items: body.records, next: body.meta.links.next }
    }
    const { maxZoneRecords: max } = this.#api.context
    return await collectRecords(byCursor(read, { max }), (raw) => readRecord(raw, zone))
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    return await applyOneByOne(edits, {
      readAll: async () => (await this.#readZone(zone)).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#write(zone, edit, record),
      singleReads: 1,
    })
  }

  /** Answers the id of the record. */
  async #write(zone: Zone, edit: RRsetEdit, { write, held, member, ttl }: PlannedRecord) {
    const path = held === null ? recordsPath(zone) : `${recordsPath(zone)}/${encodeURIComponent(held.id)}`
    if (write === 'delete') {
      await this.#delete(path)
      return null
    }
    const name = edit.name === '@' ? '' : edit.name
    const json = { name, ttl, ...writeData(edit.type, member.value) }
    if (held !== null) {
      await this.#api.write(path, { method: 'PATCH', json, as: 'empty' })
      return held.id
    }
    const { body } = await this.#api.write(path, { json: { type: edit.type, ...json }, schema: Record })
    return body.record.id
  }
}

/** An id of a zone is its name. */
const domainPath = (name: string): string => `/domains/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${domainPath(id)}/records`

const toZone = ({ domain }: { domain: string }): Zone => ({
  id: domain,
  name: domain.toLowerCase(),
  nameServers: NAME_SERVERS,
})
