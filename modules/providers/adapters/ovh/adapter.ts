import { Type } from '@sinclair/typebox'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { AdapterContext } from '../../context.ts'
import { ProviderError, tooLarge, unlessMissing } from '../../contract.ts'
import type { ChangeOutcome, DnsAdapter, RRset, RRsetEdit, RRsetPage, Zone } from '../../contract.ts'
import { applyOneByOne } from '../../shared/applied-records.ts'
import {
  collectRecords,
  toPages,
  toRRset,
  type HeldRecord,
  type HeldRecords,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import { ApiFailure, type ApiClient, type Call } from '../../client/client.ts'
import type { Credentials } from './account.ts'
import { openApi, RawRecord, RawZone } from './client.ts'
import { readRecord, subDomainOf, writeRecord } from './record-data.ts'

/** Records that one call reads. */
const BATCH = 50
/** Calls at a time. */
const AT_ONCE = 4

const Names = Type.Array(Type.String())
const Ids = Type.Array(Type.Integer())
const Batch = Type.Array(
  Type.Object({ key: Type.Unknown(), value: Type.Optional(Type.Union([RawRecord, Type.Null()])) }),
)

/** Makes no call. */
export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new OvhAdapter(openApi(credentials, context))

/** OVHcloud: records with ids, written one by one, and put in force by a call of its own. */
class OvhAdapter implements DnsAdapter {
  readonly #api: ApiClient
  /** As OVH has them. */
  readonly #spelled = new WeakMap<HeldRecord, RawRecord>()

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#api.read('/domain/zone', { schema: Names })
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { body } = await this.#api.read('/domain/zone', { schema: Names })
    yield body.map((name) => toZone({ name }))
  }

  async findZones(name: string): Promise<Zone[]> {
    const found = await unlessMissing(this.#api.read(zonePath(name), { schema: RawZone }))
    return found === null ? [] : [toZone(found.body)]
  }

  async createZone(): Promise<Zone> {
    throw new ProviderError('rejected', 'Zones of OVHcloud are ordered there')
  }

  async deleteZone(): Promise<void> {
    throw new ProviderError('rejected', 'Zones of OVHcloud are given up there')
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readRecords(zone))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    // OVH has several types for what is TXT.
    const fieldType = type === 'TXT' ? undefined : type
    const { held } = await this.#readRecords(zone, { subDomain: subDomainOf(name), fieldType })
    return held.filter((one) => one.name === name && one.type === type)
  }

  async #readRecords(zone: Zone, query: NonNullable<Call['query']> = {}): Promise<HeldRecords> {
    const { body: ids } = await this.#api.read(recordsPath(zone), { query, schema: Ids })
    const { maxZoneRecords: max } = this.#api.context
    if (ids.length > max) throw tooLarge(max)
    const pages = this.#recordPages(zone, ids)
    return await collectRecords(pages, (one) => readRecord(one, zone), this.#spelled)
  }

  /** What is behind the ids, which is all that lists have. */
  async *#recordPages(zone: Zone, ids: readonly number[]): AsyncGenerator<RawRecord[]> {
    for (let start = 0; start < ids.length; start += BATCH * AT_ONCE) {
      const batches = Array.from({ length: AT_ONCE }, (_, i) => start + i * BATCH)
        .map((from) => ids.slice(from, from + BATCH))
        .filter(({ length }) => length > 0)
      yield* await Promise.all(batches.map((batch) => this.#readBatch(zone, batch)))
    }
  }

  /** Many in one call, as OVH's own control panel reads them. Where that is not known, one by one. */
  async #readBatch(zone: Zone, ids: readonly number[]): Promise<RawRecord[]> {
    const isKnown = this.#api.context.state(newBatches)
    if (ids.length === 1 || !isKnown.batches) return this.#readEach(zone, ids)
    try {
      const { body } = await this.#api.read(`${recordsPath(zone)}/${ids.join(',')}`, {
        headers: { 'x-ovh-batch': ',' },
        schema: Batch,
      })
      const found = body.flatMap(({ value }) => value ?? [])
      const missing = ids.filter((id) => !found.some((one) => one.id === id))
      // Gone meanwhile, or not told for another reason.
      return [...found, ...(await this.#readEach(zone, missing))]
    } catch (error) {
      if (!(error instanceof ApiFailure) || (error.status !== 400 && error.status !== 404)) throw error
      const found = await this.#readEach(zone, ids)
      // Or else it is the zone that is gone.
      if (found.length > 0) isKnown.batches = false
      return found
    }
  }

  async #readEach(zone: Zone, ids: readonly number[]): Promise<RawRecord[]> {
    const records: RawRecord[] = []
    for (const id of ids) {
      const path = `${recordsPath(zone)}/${id}`
      const found = await unlessMissing(this.#api.read(path, { schema: RawRecord }))
      if (found !== null) records.push(found.body)
    }
    return records
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
    const { write, held } = record
    if (held === null) {
      const json = writeRecord(zone, edit, record, undefined)
      const { body } = await this.#api.write(recordsPath(zone), { json, schema: RawRecord })
      return String(body.id)
    }
    const path = `${recordsPath(zone)}/${held.id}`
    if (write === 'delete') {
      await unlessMissing(this.#api.write(path, { method: 'DELETE', schema: Type.Null() }))
      return null
    }
    const json = writeRecord(zone, edit, record, this.#spelled.get(held))
    await this.#api.write(path, { method: 'PUT', json, schema: Type.Null() })
    return held.id
  }

  async commit(zone: Zone): Promise<void> {
    await this.#api.write(`${zonePath(zone.id)}/refresh`, { schema: Type.Null() })
  }
}

/** Whether many records are read in one call. */
const newBatches = () => ({ batches: true })

/** An id of a zone is its name. */
const zonePath = (name: string): string => `/domain/zone/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${zonePath(id)}/record`

function toZone({ name, nameServers = [] }: { name: string; nameServers?: string[] }): Zone {
  const servers = nameServers.flatMap((server) => readName(server) ?? [])
  return { id: name, name: name.toLowerCase(), ...(servers.length > 0 && { nameServers: servers }) }
}
