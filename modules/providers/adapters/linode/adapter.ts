import { toMailAddress } from '../../../../dns/names/mailbox.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { halfDone, unlessMissing, unlessThere } from '../../contract.ts'
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
import { byNumber } from '../../client/paging.ts'
import type { Credentials } from './account.ts'
import { openApi, Page, RawDomain, RawRecord } from './client.ts'
import { readRecord, writeRecord } from './record-data.ts'

const PAGE_SIZE = 500

/** All domains have these. */
const NAME_SERVERS = [
  'ns1.linode.com',
  'ns2.linode.com',
  'ns3.linode.com',
  'ns4.linode.com',
  'ns5.linode.com',
]

const Domains = Page(RawDomain)
const Records = Page(RawRecord)

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new LinodeAdapter(openApi(credentials, context))

/** Linode: records with ids, written one by one. */
class LinodeAdapter implements DnsAdapter {
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

  async findZones(name: string): Promise<Zone[]> {
    const { items } = await this.#domainPage(1, { domain: name })
    return items.map(toZone).filter((zone) => zone.name === name)
  }

  async #domainPage(page: number, only?: object) {
    const query = { page, page_size: PAGE_SIZE }
    const { body } = await this.#api.read('/domains', { query, headers: filterBy(only), schema: Domains })
    return { items: body.data, pages: body.pages, total: body.results }
  }

  async createZone({ name, soa }: NewZone): Promise<Zone> {
    const json = { domain: name, type: 'master', soa_email: toMailAddress(soa.mailbox) }
    const made = this.#api.write('/domains', { json, schema: RawDomain })
    const { body } = await unlessThere(made, () => this.findZones(name))
    return toZone(body)
  }

  async deleteZone(zone: Zone): Promise<void> {
    await this.#delete(domainPath(zone))
  }

  async #delete(path: string): Promise<void> {
    await unlessMissing(this.#api.write(path, { method: 'DELETE' }))
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readZone(zone))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const { held } = await this.#readZone(zone, { type, name: name === '@' ? '' : name })
    return held.filter((one) => one.name === name && one.type === type)
  }

  async #readZone(zone: Zone, only?: object) {
    const read = async (page: number) => {
      const call = { query: { page, page_size: PAGE_SIZE }, headers: filterBy(only), large: true }
      const { body } = await this.#api.read(recordsPath(zone), { ...call, schema: Records })
      return { items: body.data, pages: body.pages, total: body.results }
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
  async #write(zone: Zone, edit: RRsetEdit, { write, held, member, ttl }: PlannedRecord) {
    if (write === 'delete') {
      await this.#delete(`${recordsPath(zone)}/${held?.id}`)
      return null
    }
    const json = writeRecord(edit, member.value, ttl)
    if (held !== null) return await this.#put(zone, held.id, json)
    const { body } = await this.#api.write(recordsPath(zone), {
      json: { type: edit.type, ...json },
      schema: RawRecord,
    })
    const id = String(body.id)
    // Clients have seen that what is made has the default, whatever was sent.
    if (body.ttl_sec === json.ttl_sec) return id
    return await this.#put(zone, id, json).catch((error: unknown) => {
      throw halfDone(error)
    })
  }

  async #put(zone: Zone, id: string, json: object): Promise<string> {
    await this.#api.write(`${recordsPath(zone)}/${id}`, { method: 'PUT', json, schema: RawRecord })
    return id
  }
}

/** Only what is so. */
const filterBy = (only: object | undefined): Record<string, string> =>
  only === undefined ? {} : { 'x-filter': JSON.stringify(only) }

const domainPath = ({ id }: Zone): string => `/domains/${encodeURIComponent(id)}`

const recordsPath = (zone: Zone): string => `${domainPath(zone)}/records`

const toZone = ({ id, domain, type, status }: RawDomain): Zone => ({
  id: String(id),
  name: domain.toLowerCase(),
  nameServers: NAME_SERVERS,
  ...(status === 'disabled' && { status: 'paused' }),
  ...(type !== undefined && { kind: type === 'slave' ? 'secondary' : 'primary' }),
})
