import { Type } from '@sinclair/typebox'
import { rrsetKey, type Routing } from '../../../../dns/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { halfDone, ProviderError, unlessMissing } from '../../contract.ts'
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
  isRefusal,
  madeMeanwhile,
  outcomesOf,
  planRecords,
  toPages,
  toRRset,
  writeOneByOne,
  writesOf,
  type HeldRecord,
  type HeldRecords,
  type PlannedRecord,
} from '../../edited-records.ts'
import { isCode, type ApiClient } from '../../http-client/client.ts'
import { byOffset } from '../../http-client/paging.ts'
import type { Credentials } from './account.ts'
import { actionOf, openApi, RawDomain, RawRecord, Response } from './client.ts'
import { createMany, isPlain, type Creation } from './jobs.ts'
import { readRecord, writeRecord } from './record-data.ts'

const DOMAINS_A_PAGE = 500
const RECORDS_A_PAGE = 3_000
/** With more edits all records are read: a page of them has more than an answer about one name. */
const MAX_SINGLE_READS = 5

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
    const sets = await this.#readSets(zone, edits)
    const plans = edits.map((edit, at) => ({ edit, planned: planRecords(edit, sets[at] ?? []) }))
    const isBulk = plans.length > 1 && hasId(zone)
    const bulk = plans.filter((plan) => isBulk && creationsOf(plan).every(isPlain))
    const done = new Map<RRsetEdit, ChangeOutcome[]>()
    // What goes makes room for what comes.
    for (const plan of plans.filter((one) => !bulk.includes(one))) {
      const { edit, planned } = plan
      const write = (record: PlannedRecord) => this.#write(zone, edit, record)
      await inTurn(done, [plan], async () => [await writeOneByOne(edit, planned, write)])
    }
    if (bulk.length > 0) await inTurn(done, bulk, () => this.#createMany(zone, bulk))
    return edits.map((edit) => done.get(edit) ?? [])
  }

  /** The records of each edit's set. */
  async #readSets(zone: Zone, edits: RRsetEdit[]): Promise<HeldRecord[][]> {
    if (edits.length > MAX_SINGLE_READS) {
      const sets = Map.groupBy((await this.#readRecords(zone)).held, rrsetKey)
      return edits.map((edit) => sets.get(rrsetKey(edit)) ?? [])
    }
    const sets: HeldRecord[][] = []
    for (const edit of edits) sets.push(await this.#readSet(zone, edit))
    return sets
  }

  /** By one job, where there are several. */
  async #createMany(zone: Zone, plans: Plan[]): Promise<ChangeOutcome[][]> {
    const creations = plans.flatMap(creationsOf)
    const [first] = creations
    const made = new Map<PlannedRecord, ChangeOutcome>()
    if (first !== undefined) {
      const results =
        creations.length === 1
          ? [await this.#write(zone, first.edit, first.record).catch(refusalOf)]
          : await createMany(this.#api, zone, creations)
      for (const [at, { edit, record }] of creations.entries())
        made.set(record, await this.#outcomeOf(zone, edit, record, results[at] ?? null))
    }
    return plans.map(({ edit, planned }) => outcomesOf(edit, planned, made))
  }

  async #outcomeOf(
    zone: Zone,
    edit: RRsetEdit,
    { member }: PlannedRecord,
    result: string | ProviderError | null,
  ): Promise<ChangeOutcome> {
    if (!(result instanceof ProviderError)) return { ok: true, providerId: result }
    // A job says in words alone that somebody else has made it meanwhile.
    const held = await this.#readSet(zone, edit).catch(() => [])
    const made = held.find((one) => one.member.value === member.value)
    return made === undefined ? { ok: false, error: result } : { ok: true, providerId: made.id }
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

/** An edit, and what is to be done to its records. */
interface Plan {
  edit: RRsetEdit
  planned: PlannedRecord[]
}

/** All that is to be written. */
const creationsOf = ({ edit, planned }: Plan): Creation[] =>
  writesOf(planned).map((record) => ({ edit, record }))

/** Does the work for these. Where others are done before, what fails is the outcome of these alone. */
async function inTurn(
  done: Map<RRsetEdit, ChangeOutcome[]>,
  plans: Plan[],
  work: () => Promise<ChangeOutcome[][]>,
): Promise<void> {
  try {
    const outcomes = await work()
    for (const [at, { edit }] of plans.entries()) done.set(edit, outcomes[at] ?? [])
  } catch (error) {
    if (!(error instanceof ProviderError) || done.size === 0) throw error
    // Of an edit without changes there is no other place to say it.
    if (plans.some(({ edit }) => edit.changes.length === 0)) throw halfDone(error)
    for (const { edit } of plans)
      done.set(
        edit,
        edit.changes.map(() => ({ ok: false, error })),
      )
  }
}

/** The provider takes the call, and not this record. */
function refusalOf(error: unknown): ProviderError {
  if (error instanceof ProviderError && isRefusal(error)) return error
  throw error
}

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
