import { Type } from '@sinclair/typebox'
import { rrsetKey, type Routing } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { applyInBulk, isCreation } from '../../shared/bulk-records.ts'
import { halfDone, unlessMissing } from '../../contract.ts'
import type {
  AdapterContext,
  ChangeOutcome,
  DnsAdapter,
  Member,
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
import { isCode, type ApiClient, type Call } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import type { Credentials } from './account.ts'
import { actionOf, openApi, RawDomain, RawRecord } from './client.ts'
import { readRecord, writeRecord } from './record-data.ts'
import { createMany } from './tasks.ts'

const DOMAINS_A_PAGE = 100
const RECORDS_A_PAGE = 500

const Domains = Type.Object({
  TotalCount: Type.Integer(),
  Domains: Type.Object({ Domain: Type.Array(RawDomain) }),
})
const Records = Type.Object({
  TotalCount: Type.Integer(),
  DomainRecords: Type.Object({ Record: Type.Array(RawRecord) }),
})
const Made = Type.Object({ RecordId: Type.String() })
const Done = Type.Object({ RequestId: Type.String() })

const EXISTS = 'DomainRecordDuplicate'

/** What an edit is about. */
type SetKey = Pick<RRsetEdit, 'name' | 'type' | 'routing'>

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new AlidnsAdapter(openApi(credentials, context))

/** Alibaba Cloud DNS: records with ids, by lines, made many at a time, and changed one by one; status and remark by calls of their own. */
class AlidnsAdapter implements DnsAdapter {
  readonly #api: ApiClient
  /** As Alibaba has them. */
  readonly #spelled = new WeakMap<HeldRecord, RawRecord>()

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#domainPage(1, 1)
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = (page: number) => this.#domainPage(page, DOMAINS_A_PAGE)
    for await (const domains of byNumber(read, { size: DOMAINS_A_PAGE, max })) yield domains.map(toZone)
  }

  async #domainPage(page: number, size: number) {
    const call = actionOf('DescribeDomains', { PageNumber: page, PageSize: size })
    const { body } = await this.#api.read('/', { ...call, schema: Domains })
    return { items: body.Domains.Domain, total: body.TotalCount }
  }

  async findZones(name: string): Promise<Zone[]> {
    const call = actionOf('DescribeDomainInfo', { DomainName: name })
    const read = this.#api.read('/', { ...call, schema: RawDomain })
    const found = await unlessMissing(read).catch((error: unknown) => {
      // It is in another account.
      if (isCode(error, 'IncorrectDomainUser')) return null
      throw error
    })
    return found === null ? [] : [toZone(found.body)]
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const call = actionOf('AddDomain', { DomainName: name })
    const { body } = await this.#api.write('/', { ...call, schema: RawDomain })
    return toZone(body)
  }

  async deleteZone(zone: Zone): Promise<void> {
    await this.#delete('DeleteDomain', { DomainName: zone.id })
  }

  async #delete(action: string, query: NonNullable<Call['query']>): Promise<void> {
    await unlessMissing(this.#do(action, query))
  }

  async #do(action: string, query: NonNullable<Call['query']>): Promise<void> {
    await this.#api.write('/', { ...actionOf(action, query), schema: Done })
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
    const filter = { SearchMode: 'COMBINATION', RRKeyWord: key.name, TypeKeyWord: key.type }
    const { held } = await this.#readRecords(zone, filter)
    return held.filter((one) => rrsetKey(one) === rrsetKey(key))
  }

  async #readRecords(zone: Zone, filter?: NonNullable<Call['query']>): Promise<HeldRecords> {
    const read = async (page: number) => {
      const query = { DomainName: zone.id, PageNumber: page, PageSize: RECORDS_A_PAGE, ...filter }
      const call = actionOf('DescribeDomainRecords', query)
      const { body } = await this.#api.read('/', { ...call, schema: Records })
      return { items: body.DomainRecords.Record, total: body.TotalCount }
    }
    const { maxZoneRecords: max } = this.#api.context
    const pages = byNumber(read, { size: RECORDS_A_PAGE, max })
    return await collectRecords(pages, (one) => readRecord(one, zone), this.#spelled)
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    return await applyInBulk(edits, {
      readAll: async () => (await this.#readRecords(zone)).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#write(zone, edit, record),
      isPlain: isCreation,
      createMany: (creations) => createMany(this.#api, zone, creations),
    })
  }

  /** Answers the id of the record. */
  async #write(zone: Zone, edit: RRsetEdit, record: PlannedRecord): Promise<string | null> {
    const { write, held } = record
    if (held === null) return await this.#create(zone, edit, record)
    if (write === 'delete') await this.#delete('DeleteDomainRecord', { RecordId: held.id })
    else await this.#update(edit, record, held)
    return write === 'delete' ? null : held.id
  }

  async #create(zone: Zone, edit: RRsetEdit, record: PlannedRecord): Promise<string> {
    let id = ''
    await inTurn([
      async () => void (id = await this.#add(zone, edit, record)),
      ...this.#rest({ value: record.member.value }, record, () => id),
    ])
    return id
  }

  async #add(zone: Zone, edit: RRsetEdit, record: PlannedRecord): Promise<string> {
    const query = { DomainName: zone.id, ...writeRecord(edit, record, undefined) }
    try {
      const { body } = await this.#api.write('/', { ...actionOf('AddDomainRecord', query), schema: Made })
      return body.RecordId
    } catch (error) {
      if (!isCode(error, EXISTS)) throw error
      return madeMeanwhile(await this.#readSet(zone, edit), record.member, error)
    }
  }

  async #update(edit: RRsetEdit, record: PlannedRecord, held: HeldRecord): Promise<void> {
    const { member, ttl } = record
    // An update of nothing is refused.
    const isSame = held.member.value === member.value && held.ttl === ttl
    const query = { RecordId: held.id, ...writeRecord(edit, record, this.#spelled.get(held)) }
    await inTurn([
      ...(isSame ? [] : [() => this.#do('UpdateDomainRecord', query)]),
      ...this.#rest(held.member, record, () => held.id),
    ])
  }

  /** What is not said with the record itself. */
  #rest(before: Member, { member }: PlannedRecord, id: () => string): (() => Promise<void>)[] {
    const { disabled = false, comment = '' } = member
    const status = disabled ? 'Disable' : 'Enable'
    return [
      ...(disabled === (before.disabled ?? false)
        ? []
        : [() => this.#do('SetDomainRecordStatus', { RecordId: id(), Status: status })]),
      ...(comment === (before.comment ?? '')
        ? []
        : [() => this.#do('UpdateDomainRecordRemark', { RecordId: id(), Remark: comment })]),
    ]
  }
}

/** One after another. Where one fails behind others, these are done. */
async function inTurn(steps: (() => Promise<void>)[]): Promise<void> {
  for (const [at, step] of steps.entries()) {
    try {
      await step()
    } catch (error) {
      throw at === 0 ? error : halfDone(error)
    }
  }
}

const toZone = ({ DomainName: id, PunyCode: ascii, DnsServers: servers }: RawDomain): Zone => ({
  id,
  name: (ascii || id).toLowerCase(),
  ...(servers?.DnsServer.length && { nameServers: servers.DnsServer.map((one) => one.toLowerCase()) }),
})
