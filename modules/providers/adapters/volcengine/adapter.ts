import { Type } from '@sinclair/typebox'
import { rrsetKey, type Routing } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { applyOneByOne } from '../../shared/applied-records.ts'
import { halfDone, unlessMissing } from '../../contract.ts'
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
import {
  collectRecords,
  madeMeanwhile,
  toPages,
  toRRset,
  type HeldRecord,
  type HeldRecords,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import { isCode } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import type { Credentials } from './account.ts'
import { Answered, Done, EXISTS, RawRecord, RawZone, VolcengineApi } from './client.ts'
import { readRecord, writeRecord } from './record-data.ts'

const PAGE_SIZE = 500

/** Of lists by default what is looked for may be a part only. */
const EXACT = { SearchMode: 'exact' }

const Zones = Answered({ Zones: Type.Array(RawZone), Total: Type.Integer() })
const ZoneDetails = Answered({ AllocateDNSServerList: Type.Optional(Type.Array(Type.String())) })
const NewZoneAnswer = Answered({ ZID: Type.Integer() })
const Records = Answered({ Records: Type.Array(RawRecord), TotalCount: Type.Integer() })
const Written = Answered({ RecordID: Type.String() })

/** What an edit is about. */
type SetKey = Pick<RRsetEdit, 'name' | 'type' | 'routing'>

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new VolcengineAdapter(new VolcengineApi(credentials, context))

/** Volcengine: records with ids, by lines, written one by one. */
class VolcengineAdapter implements DnsAdapter {
  readonly #api: VolcengineApi
  /** As Volcengine has them. */
  readonly #spelled = new WeakMap<HeldRecord, RawRecord>()

  constructor(api: VolcengineApi) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#zonePage({ PageNumber: 1, PageSize: 1 })
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = (page: number) => this.#zonePage({ PageNumber: page, PageSize: PAGE_SIZE })
    for await (const zones of byNumber(read, { size: PAGE_SIZE, max })) yield zones.map(toZone)
  }

  async findZones(name: string): Promise<Zone[]> {
    const { items } = await this.#zonePage({ Key: name, ...EXACT, PageSize: PAGE_SIZE })
    const zones = items.map(toZone).filter((zone) => zone.name === name)
    return await Promise.all(zones.map((zone) => this.#withNameServers(zone)))
  }

  async #zonePage(parameters: Record<string, string | number>) {
    const { Result } = await this.#api.read('ListZones', Zones, parameters)
    return { items: Result.Zones, total: Result.Total }
  }

  async #withNameServers(zone: Zone): Promise<Zone> {
    const { Result } = await this.#api.read('QueryZone', ZoneDetails, placeOf(zone))
    const { AllocateDNSServerList: servers = [] } = Result
    return { ...zone, ...(servers.length > 0 && { nameServers: servers.map((one) => one.toLowerCase()) }) }
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const { Result } = await this.#api.write('CreateZone', NewZoneAnswer, { ZoneName: name })
    return toZone({ ...Result, ZoneName: name })
  }

  async deleteZone(zone: Zone): Promise<void> {
    await unlessMissing(this.#api.write('DeleteZone', Done, placeOf(zone)))
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readRecords(zone))
  }

  async readRRset(
    zone: Zone,
    name: string,
    type: RecordType,
    routing: Routing | null = null,
  ): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type, routing }))
  }

  async #readSet(zone: Zone, key: SetKey): Promise<HeldRecord[]> {
    const { held } = await this.#readRecords(zone, { Host: key.name, Type: key.type, ...EXACT })
    return held.filter((one) => rrsetKey(one) === rrsetKey(key))
  }

  async #readRecords(zone: Zone, only: Record<string, string> = {}): Promise<HeldRecords> {
    const read = async (page: number) => {
      const parameters = { ...placeOf(zone), ...only, PageNumber: page, PageSize: PAGE_SIZE }
      const { Result } = await this.#api.read('ListRecords', Records, parameters)
      return { items: Result.Records, total: Result.TotalCount }
    }
    const { maxZoneRecords: max } = this.#api.context
    const pages = byNumber(read, { size: PAGE_SIZE, max })
    return await collectRecords(pages, (raw) => readRecord(raw, zone), this.#spelled)
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    return await applyOneByOne(edits, {
      readAll: async () => (await this.#readRecords(zone)).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#write(zone, edit, record),
    })
  }

  /** Answers the id of the record. */
  async #write(zone: Zone, edit: RRsetEdit, record: PlannedRecord): Promise<string | null> {
    const { write, held, member } = record
    if (write === 'delete') {
      await unlessMissing(this.#api.write('DeleteRecord', Done, { RecordID: held?.id }))
      return null
    }
    const isServed = member.disabled !== true
    const id =
      held === null ? await this.#create(zone, edit, record) : await this.#update(zone, edit, record, held)
    if (isServed === (held?.member.disabled !== true)) return id
    await this.#api
      .write('UpdateRecordStatus', Done, { RecordID: id, Enable: isServed })
      .catch((error: unknown) => {
        throw halfDone(error)
      })
    return id
  }

  async #create(zone: Zone, edit: RRsetEdit, record: PlannedRecord): Promise<string> {
    const json = { ...placeOf(zone), ...writeRecord(edit, record, undefined, zone) }
    try {
      const { Result } = await this.#api.write('CreateRecord', Written, json)
      return Result.RecordID
    } catch (error) {
      if (!isCode(error, EXISTS)) throw error
      return madeMeanwhile(await this.#readSet(zone, edit), record.member, error)
    }
  }

  async #update(zone: Zone, edit: RRsetEdit, record: PlannedRecord, held: HeldRecord): Promise<string> {
    const json = writeRecord(edit, record, this.#spelled.get(held), zone)
    await this.#api.write('UpdateRecord', Done, { RecordID: held.id, ...json })
    return held.id
  }
}

const placeOf = ({ id }: Zone) => ({ ZID: Number(id) })

const toZone = ({ ZID, ZoneName, IsNSCorrect: isDelegated }: RawZone): Zone => ({
  id: String(ZID),
  name: ZoneName.toLowerCase(),
  ...(isDelegated !== undefined && { status: isDelegated ? 'active' : 'pending' }),
})
