import { Type } from '@sinclair/typebox'
import type { RecordType } from '../../../../dns/types/index.ts'
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
import { applyOneByOne } from '../../shared/applied-records.ts'
import {
  collectRecords,
  toPages,
  toRRset,
  type HeldRecord,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import { byOffset } from '../../client/paging.ts'
import type { Credentials } from './account.ts'
import { Made, PorkbunApi, RawDomain, RawRecord, Success } from './client.ts'
import { readRecord, writeRecord } from './record-data.ts'

const DOMAINS_A_PAGE = 1000

const Domains = Type.Object({ domains: Type.Array(RawDomain) })
const Records = Type.Object({ records: Type.Array(RawRecord) })

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new PorkbunAdapter(new PorkbunApi(credentials, context))

/** Porkbun: records with ids and notes, written one by one. */
class PorkbunAdapter implements DnsAdapter {
  readonly #api: PorkbunApi

  constructor(api: PorkbunApi) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#api.read('/ping', Success)
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = async (start: number) => {
      const { domains } = await this.#api.read('/domain/listAll', Domains, { start: String(start) })
      return { items: domains }
    }
    for await (const domains of byOffset(read, { size: DOMAINS_A_PAGE, max })) yield domains.map(toZone)
  }

  // Among all: a domain that the API may not be used for is one, too.
  async findZones(name: string): Promise<Zone[]> {
    const zones: Zone[] = []
    for await (const page of this.listZones()) zones.push(...page.filter((zone) => zone.name === name))
    return zones
  }

  async createZone(): Promise<Zone> {
    throw new ProviderError('rejected', 'A domain has its zone at Porkbun as soon as it is registered there')
  }

  async deleteZone(): Promise<void> {
    throw new ProviderError(
      'rejected',
      'Porkbun keeps the zone of a domain as long as it is registered there',
    )
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readRecords(zone, '/dns/retrieve/'))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const place = name === '@' ? type : `${type}/${encodeURIComponent(name)}`
    const { held } = await this.#readRecords(zone, '/dns/retrieveByNameType/', `/${place}`)
    return held.filter((one) => one.name === name && one.type === type)
  }

  async #readRecords(zone: Zone, command: string, place = '') {
    const { records } = await this.#api.read(command + encodeURIComponent(zone.id) + place, Records)
    const { maxZoneRecords } = this.#api.context
    if (records.length > maxZoneRecords) throw tooLarge(maxZoneRecords)
    return await collectRecords([records], (raw) => readRecord(raw, zone))
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    return await applyOneByOne(edits, {
      readAll: async () => (await this.#readRecords(zone, '/dns/retrieve/')).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#write(zone, edit, record),
    })
  }

  /** Answers the id of the record. */
  async #write(zone: Zone, edit: RRsetEdit, { write, held, member, ttl }: PlannedRecord) {
    const pathOf = (command: string) => `/dns/${command}/${encodeURIComponent(zone.id)}`
    const id = held === null ? '' : encodeURIComponent(held.id)
    if (write === 'delete') {
      await unlessMissing(this.#api.write(`${pathOf('delete')}/${id}`, Success))
      return null
    }
    const record = writeRecord(edit, member, ttl)
    if (held !== null) {
      await this.#api.write(`${pathOf('edit')}/${id}`, Success, record)
      return held.id
    }
    const made = await this.#api.write(pathOf('create'), Made, record)
    return String(made.id)
  }
}

const toZone = ({ domain }: { domain: string }): Zone => ({ id: domain, name: domain.toLowerCase() })
