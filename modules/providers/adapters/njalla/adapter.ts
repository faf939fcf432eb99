import { Type } from '@sinclair/typebox'
import type { RecordType } from '../../../../dns/types/index.ts'
import { applyOneByOne } from '../../shared/applied-records.ts'
import { ProviderError, tooLarge, unlessMissing } from '../../contract.ts'
import type {
  AdapterContext,
  ChangeOutcome,
  DnsAdapter,
  RRset,
  RRsetEdit,
  RRsetPage,
  Zone,
} from '../../contract.ts'
import {
  collectRecords,
  toPages,
  toRRset,
  type HeldRecord,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import type { Credentials } from './account.ts'
import { Answered, NjallaApi, RawDomain, RawRecord } from './client.ts'
import { readRecord, writeRecord } from './record-data.ts'

const Domains = Answered({ domains: Type.Array(RawDomain) })
const Records = Answered({ records: Type.Array(RawRecord) })
const NewRecord = Answered({ id: RawRecord.properties.id })
/** The record, or nothing of it. */
const Changed = Answered({})

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new NjallaAdapter(new NjallaApi(credentials, context))

/** Njalla: records with ids, read all at once and written one by one. */
class NjallaAdapter implements DnsAdapter {
  readonly #api: NjallaApi

  constructor(api: NjallaApi) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#zones()
  }

  // The whole list is one answer.
  async *listZones(): AsyncGenerator<Zone[]> {
    yield await this.#zones()
  }

  async findZones(name: string): Promise<Zone[]> {
    const zones = await this.#zones()
    return zones.filter((zone) => zone.name === name)
  }

  async #zones(): Promise<Zone[]> {
    const { result } = await this.#api.read('list-domains', Domains)
    return result.domains.map(toZone)
  }

  async createZone(): Promise<Zone> {
    throw new ProviderError('rejected', 'A domain has its zone at Njalla as soon as it is registered there')
  }

  async deleteZone(): Promise<void> {
    throw new ProviderError('rejected', 'Njalla keeps the zone of a domain as long as it is registered there')
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readRecords(zone))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  // Nothing less than the whole zone can be asked for.
  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const { held } = await this.#readRecords(zone)
    return held.filter((one) => one.name === name && one.type === type)
  }

  async #readRecords(zone: Zone) {
    const { result } = await this.#api.read('list-records', Records, placeOf(zone))
    const { records } = result
    const { maxZoneRecords } = this.#api.context
    if (records.length > maxZoneRecords) throw tooLarge(maxZoneRecords)
    return await collectRecords([records], (raw) => readRecord(raw, zone))
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    return await applyOneByOne(edits, {
      readAll: async () => (await this.#readRecords(zone)).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#write(zone, edit, record),
      singleReads: 1,
    })
  }

  /** Answers the id of the record. */
  async #write(zone: Zone, edit: RRsetEdit, { write, held, member, ttl }: PlannedRecord) {
    const place = { ...placeOf(zone), ...(held !== null && { id: held.id }) }
    if (write === 'delete') {
      await unlessMissing(this.#api.write('remove-record', Changed, place))
      return null
    }
    const record = { ...place, ...writeRecord(edit, member.value, ttl) }
    if (held !== null) {
      await this.#api.write('edit-record', Changed, record)
      return held.id
    }
    const { result } = await this.#api.write('add-record', NewRecord, record)
    return String(result.id)
  }
}

const placeOf = ({ id }: Zone) => ({ domain: id })

const toZone = ({ name, status }: RawDomain): Zone => ({
  id: name,
  name: name.toLowerCase(),
  ...(status === 'active' && { status }),
})
