import { Type } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import { tooLarge, unlessMissing } from '../../contract.ts'
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
  madeMeanwhile,
  toPages,
  toRRset,
  type HeldRecord,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import { isCode } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import type { Credentials } from './account.ts'
import { Answered, Changed, EXISTS, InwxApi, RawDomain, RawRecord } from './client.ts'
import { readRecord, writeRecord } from './record-data.ts'

const ZONES_A_PAGE = 1000

/** Of new zones. */
const NAME_SERVERS = ['ns.inwx.de', 'ns2.inwx.de', 'ns3.inwx.eu']

// Of nothing there is no list.
const Domains = Answered({ count: Type.Integer(), domains: Type.Optional(Type.Array(RawDomain)) })
const Records = Answered({ record: Type.Optional(Type.Array(RawRecord)) })
const NewDomain = Answered({ roId: RawDomain.properties.roId })
const NewRecord = Answered({ id: RawRecord.properties.id })

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new InwxAdapter(new InwxApi(credentials, context))

/** INWX: records with ids, written one by one. */
class InwxAdapter implements DnsAdapter {
  readonly #api: InwxApi

  constructor(api: InwxApi) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#zonePage({ page: 1, pagelimit: 1 })
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = (page: number) => this.#zonePage({ page, pagelimit: ZONES_A_PAGE })
    for await (const domains of byNumber(read, { size: ZONES_A_PAGE, max })) yield domains.map(toZone)
  }

  async findZones(name: string): Promise<Zone[]> {
    const { items } = await this.#zonePage({ domain: name })
    return items.map(toZone).filter((zone) => zone.name === name)
  }

  async #zonePage(params: object) {
    const { resData } = await this.#api.read('nameserver.list', Domains, params)
    return { items: resData.domains ?? [], total: resData.count }
  }

  async createZone({ name, nameServers }: NewZone): Promise<Zone> {
    const ns = nameServers.length > 0 ? nameServers : NAME_SERVERS
    const params = { domain: name, type: 'MASTER', ns }
    const { resData } = await this.#api.write('nameserver.create', NewDomain, params)
    return toZone({ ...resData, domain: name, type: 'MASTER' })
  }

  async deleteZone(zone: Zone): Promise<void> {
    await unlessMissing(this.#api.write('nameserver.delete', Changed, placeOf(zone)))
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readRecords(zone))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const { held } = await this.#readRecords(zone, { name: absoluteName(name, zone.name), type })
    return held.filter((one) => one.name === name && one.type === type)
  }

  async #readRecords(zone: Zone, only = {}) {
    const params = { ...placeOf(zone), ...only }
    const { resData } = await this.#api.read('nameserver.info', Records, params)
    const { record: records = [] } = resData
    const { maxZoneRecords } = this.#api.context
    if (records.length > maxZoneRecords) throw tooLarge(maxZoneRecords)
    return await collectRecords([records], (raw) => readRecord(raw, zone))
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    return await applyOneByOne(edits, {
      readAll: async () => (await this.#readRecords(zone)).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#write(zone, edit, record),
    })
  }

  /** Answers the id of the record. */
  async #write(zone: Zone, edit: RRsetEdit, { write, held, member, ttl }: PlannedRecord) {
    if (write === 'delete') {
      await unlessMissing(this.#api.write('nameserver.deleteRecord', Changed, { id: Number(held?.id) }))
      return null
    }
    const record = writeRecord(edit, member.value, ttl, zone)
    if (held !== null) {
      await this.#api.write('nameserver.updateRecord', Changed, { id: Number(held.id), ...record })
      return held.id
    }
    try {
      const params = { ...placeOf(zone), ...record }
      const { resData } = await this.#api.write('nameserver.createRecord', NewRecord, params)
      return String(resData.id)
    } catch (error) {
      if (!isCode(error, EXISTS)) throw error
      return madeMeanwhile(await this.#readSet(zone, edit), member, error)
    }
  }
}

const placeOf = ({ id }: Zone) => ({ roId: Number(id) })

const toZone = ({ roId, domain, type }: RawDomain): Zone => ({
  id: String(roId),
  name: readName(domain) ?? domain.toLowerCase(),
  ...(type !== undefined && { kind: type === 'SLAVE' ? 'secondary' : 'primary' }),
})
