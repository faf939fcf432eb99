import { Type } from '@sinclair/typebox'
import { rrsetKey, type Routing } from '../../../../dns/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { ProviderError } from '../../contract.ts'
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
  planRecords,
  toPages,
  toRRset,
  writeOneByOne,
  type HeldRecord,
  type HeldRecords,
  type PlannedRecord,
} from '../../edited-records.ts'
import type { ApiClient, Call } from '../../http-client/client.ts'
import { byNumber } from '../../http-client/paging.ts'
import type { Credentials } from './account.ts'
import { actionOf, isCode, isMissing, openApi, RawDomain, RawRecord } from './client.ts'
import { readRecord, writeRecord } from './record-data.ts'

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

/** Records, and how Alibaba spells each of them, by their ids. */
interface RawRecords extends HeldRecords {
  raw: Map<string, RawRecord>
}

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new AlidnsAdapter(openApi(credentials, context))

/** Alibaba Cloud DNS: records with ids, by lines, written one by one; status and remark by calls of their own. */
class AlidnsAdapter implements DnsAdapter {
  readonly #api: ApiClient

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
    try {
      const call = actionOf('DescribeDomainInfo', { DomainName: name })
      const { body } = await this.#api.read('/', { ...call, schema: RawDomain })
      return [toZone(body)]
    } catch (error) {
      // It is in another account.
      if (isMissing(error) || isCode(error, 'IncorrectDomainUser')) return []
      throw error
    }
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
    try {
      await this.#do(action, query)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
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
    const { held } = await this.#readSet(zone, { name, type, routing })
    return toRRset(held)
  }

  async #readSet(zone: Zone, key: SetKey): Promise<RawRecords> {
    const filter = { SearchMode: 'COMBINATION', RRKeyWord: key.name, TypeKeyWord: key.type }
    const all = await this.#readRecords(zone, filter)
    return { ...all, held: all.held.filter((one) => rrsetKey(one) === rrsetKey(key)) }
  }

  async #readRecords(zone: Zone, filter?: NonNullable<Call['query']>): Promise<RawRecords> {
    const raw = new Map<string, RawRecord>()
    const read = async (page: number) => {
      const query = { DomainName: zone.id, PageNumber: page, PageSize: RECORDS_A_PAGE, ...filter }
      const call = actionOf('DescribeDomainRecords', query)
      const { body } = await this.#api.read('/', { ...call, schema: Records })
      const { Record: items } = body.DomainRecords
      for (const one of items) raw.set(one.RecordId, one)
      return { items, total: body.TotalCount }
    }
    const { maxZoneRecords: max } = this.#api.context
    const pages = byNumber(read, { size: RECORDS_A_PAGE, max })
    return { ...(await collectRecords(pages, (one) => readRecord(one, zone))), raw }
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    const outcomes: ChangeOutcome[][] = []
    for (const edit of edits) {
      const { held, raw } = await this.#readSet(zone, edit)
      const write = (record: PlannedRecord) => this.#write(zone, edit, record, raw)
      outcomes.push(await writeOneByOne(edit, planRecords(edit, held), write))
    }
    return outcomes
  }

  /** Answers the id of the record. */
  async #write(
    zone: Zone,
    edit: RRsetEdit,
    record: PlannedRecord,
    raw: RawRecords['raw'],
  ): Promise<string | null> {
    const { write, held } = record
    if (held === null) return await this.#create(zone, edit, record)
    if (write === 'delete') await this.#delete('DeleteDomainRecord', { RecordId: held.id })
    else await this.#update(edit, record, held, raw.get(held.id))
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
      // Somebody else has made it meanwhile.
      const { held } = await this.#readSet(zone, edit)
      const made = held.find((one) => one.member.value === record.member.value)
      if (made === undefined) throw error
      return made.id
    }
  }

  async #update(edit: RRsetEdit, record: PlannedRecord, held: HeldRecord, raw: RawRecord | undefined) {
    const { member, ttl } = record
    // An update of nothing is refused.
    const isSame = held.member.value === member.value && held.ttl === ttl
    const query = { RecordId: held.id, ...writeRecord(edit, record, raw) }
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
      if (at === 0 || !(error instanceof ProviderError)) throw error
      const { kind, message, retryAfter } = error
      throw new ProviderError(kind, message, { outcome: 'unknown', retryAfter, cause: error })
    }
  }
}

const toZone = ({ DomainName: id, PunyCode: ascii, DnsServers: servers }: RawDomain): Zone => ({
  id,
  name: (ascii || id).toLowerCase(),
  ...(servers?.DnsServer.length && { nameServers: servers.DnsServer.map((one) => one.toLowerCase()) }),
})
