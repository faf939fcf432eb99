import { Type } from '@sinclair/typebox'
import { rrsetKey, type Routing } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { applyInBulk } from '../../shared/bulk-records.ts'
import { unlessMissing } from '../../contract.ts'
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
import { isCode, type ApiClient } from '../../client/client.ts'
import { byOffset } from '../../client/paging.ts'
import type { Credentials } from './account.ts'
import { actionOf, openApi, RawDomain, RawRecord, Response } from './client.ts'
import { createMany, isPlain } from './jobs.ts'
import { readRecord, writeRecord } from './record-data.ts'

const DOMAINS_A_PAGE = 500
const RECORDS_A_PAGE = 3_000

const Domains = Response({
  DomainList: Type.Array(RawDomain),
  DomainCountInfo: Type.Object({ DomainTotal: Type.Integer() }),
})
const Domain = Response({ DomainInfo: RawDomain })
const NewDomain = Response({
  DomainInfo: Type.Object({
    Id: Type.Integer(),
    Punycode: Type.String(),
    GradeNsList: Type.Optional(Type.Array(Type.String())),
  }),
})
const Records = Response({
  RecordList: Type.Array(RawRecord),
  RecordCountInfo: Type.Object({ TotalCount: Type.Integer() }),
})
const Written = Response({ RecordId: Type.Integer() })
const Done = Response({ RequestId: Type.String() })

const EXISTS = 'InvalidParameter.DomainRecordExist'

/** What an edit is about. */
type SetKey = Pick<RRsetEdit, 'name' | 'type' | 'routing'>

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new DnspodAdapter(openApi(credentials, context))

/** DNSPod: records with ids, by lines and weights, made many at a time, and changed one by one. */
class DnspodAdapter implements DnsAdapter {
  readonly #api: ApiClient
  /** As DNSPod has them. */
  readonly #spelled = new WeakMap<HeldRecord, RawRecord>()

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#domainPage(0, 1)
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = (offset: number) => this.#domainPage(offset, DOMAINS_A_PAGE)
    for await (const domains of byOffset(read, { size: DOMAINS_A_PAGE, max })) yield domains.map(toZone)
  }

  async #domainPage(offset: number, limit: number): Promise<{ items: RawDomain[]; total: number }> {
    try {
      const call = actionOf('DescribeDomainList', { Type: 'ALL', Offset: offset, Limit: limit })
      const { body } = await this.#api.read('/', { ...call, schema: Domains })
      const { DomainList: items, DomainCountInfo: count } = body.Response
      return { items, total: count.DomainTotal }
    } catch (error) {
      if (isCode(error, 'ResourceNotFound.NoDataOfDomain')) return { items: [], total: 0 }
      throw error
    }
  }

  async findZones(name: string): Promise<Zone[]> {
    const call = this.#api.read('/', { ...actionOf('DescribeDomain', { Domain: name }), schema: Domain })
    const found = await unlessMissing(call).catch((error: unknown) => {
      // Of a name below a domain it says that this is no domain.
      if (isCode(error, 'InvalidParameter.DomainInvalid')) return null
      throw error
    })
    return found === null ? [] : [toZone(found.body.Response.DomainInfo)]
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const call = actionOf('CreateDomain', { Domain: name })
    const { body } = await this.#api.write('/', { ...call, schema: NewDomain })
    const { Id, Punycode, GradeNsList } = body.Response.DomainInfo
    return toZone({ DomainId: Id, Punycode, ...(GradeNsList && { DnspodNsList: GradeNsList }) })
  }

  async deleteZone(zone: Zone): Promise<void> {
    await this.#delete('DeleteDomain', placeOf(zone))
  }

  async #delete(action: string, json: Record<string, unknown>): Promise<void> {
    await unlessMissing(this.#api.write('/', { ...actionOf(action, json), schema: Done }))
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
    const { held } = await this.#readRecords(zone, { Subdomain: key.name, RecordType: key.type })
    return held.filter((one) => rrsetKey(one) === rrsetKey(key))
  }

  async #readRecords(zone: Zone, filter?: { Subdomain: string; RecordType: string }): Promise<HeldRecords> {
    const read = async (offset: number) => {
      const json = { ...placeOf(zone), ...filter, Offset: offset, Limit: RECORDS_A_PAGE, ErrorOnEmpty: 'no' }
      const call = actionOf('DescribeRecordList', json)
      const { body } = await this.#api.read('/', { ...call, schema: Records, large: true })
      const { RecordList: items, RecordCountInfo: count } = body.Response
      // Whether the count is of those that the filter lets through is not said.
      return { items, total: filter === undefined ? count.TotalCount : undefined }
    }
    const { maxZoneRecords: max } = this.#api.context
    const pages = byOffset(read, { size: RECORDS_A_PAGE, max })
    return await collectRecords(pages, (one) => readRecord(one, zone), this.#spelled)
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    return await applyInBulk(edits, {
      readAll: async () => (await this.#readRecords(zone)).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#write(zone, edit, record),
      isPlain: (creation) => hasId(zone) && isPlain(creation),
      createMany: (creations) => createMany(this.#api, zone, creations),
    })
  }

  /** Answers the id of the record. */
  async #write(zone: Zone, edit: RRsetEdit, record: PlannedRecord): Promise<string | null> {
    const { write, held, member } = record
    const place = { ...placeOf(zone), ...(held !== null && { RecordId: Number(held.id) }) }
    if (write === 'delete') {
      await this.#delete('DeleteRecord', place)
      return null
    }
    const raw = held === null ? undefined : this.#spelled.get(held)
    const json = { ...place, ...writeRecord(edit, record, raw) }
    const call = actionOf(held === null ? 'CreateRecord' : 'ModifyRecord', json)
    try {
      const { body } = await this.#api.write('/', { ...call, schema: Written })
      return String(body.Response.RecordId)
    } catch (error) {
      if (held !== null || !isCode(error, EXISTS)) throw error
      return madeMeanwhile(await this.#readSet(zone, edit), member, error)
    }
  }
}

/** The id counts, where there is one. */
const placeOf = (zone: Zone) => ({ Domain: zone.name, ...(hasId(zone) && { DomainId: Number(zone.id) }) })

const hasId = ({ id }: Zone): boolean => /^\d+$/.test(id)

function toZone(raw: RawDomain): Zone {
  const servers = raw.EffectiveDNS ?? raw.DnspodNsList ?? []
  const status = raw.Status?.toUpperCase()
  const isDelegated = (raw.DNSStatus ?? raw.DnsStatus ?? '') === ''
  return {
    id: String(raw.DomainId),
    name: raw.Punycode.toLowerCase(),
    ...(servers.length > 0 && { nameServers: servers.map((server) => server.toLowerCase()) }),
    ...(status !== undefined && {
      status: status !== 'ENABLE' ? 'paused' : isDelegated ? 'active' : 'pending',
    }),
  }
}
