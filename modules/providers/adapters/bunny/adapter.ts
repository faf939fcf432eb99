import { Type } from '@sinclair/typebox'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { unlessMissing, unlessThere } from '../../contract.ts'
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
  type HeldRecords,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import { ApiFailure, type ApiClient } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import type { Credentials } from './account.ts'
import { NO_RECORD, openApi, RawRecord, RawZone } from './client.ts'
import { readRecord, writeRecord } from './record-data.ts'

/** Each comes with all its records. */
const ZONES_A_PAGE = 100
const LEAST_A_PAGE = 5

const Zones = Type.Object({ Items: Type.Array(RawZone), TotalItems: Type.Integer() })
const WholeZone = Type.Object({ Records: Type.Array(RawRecord) })
const Made = Type.Object({ Id: Type.Integer() })

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new BunnyAdapter(openApi(credentials, context))

/** bunny.net: records with ids, written one by one, and read with the whole zone alone. */
class BunnyAdapter implements DnsAdapter {
  readonly #api: ApiClient
  readonly #spelled = new WeakMap<HeldRecord, RawRecord>()

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#zonePage(1, LEAST_A_PAGE)
  }

  async *listZones(search?: string): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = (page: number) => this.#zonePage(page, ZONES_A_PAGE, search)
    for await (const zones of byNumber(read, { size: ZONES_A_PAGE, max })) yield zones.map(toZone)
  }

  async #zonePage(page: number, size: number, search?: string) {
    const query = { page, perPage: size, search }
    const { body } = await this.#api.read('/dnszone', { query, schema: Zones, large: true })
    return { items: body.Items, total: body.TotalItems }
  }

  // What is searched for is a part of names.
  async findZones(name: string): Promise<Zone[]> {
    const found: Zone[] = []
    for await (const zones of this.listZones(name)) found.push(...zones.filter((zone) => zone.name === name))
    return found
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const made = this.#api.write('/dnszone', { json: { Domain: name }, schema: RawZone })
    const { body } = await unlessThere(made, () => this.findZones(name))
    return toZone(body)
  }

  async deleteZone(zone: Zone): Promise<void> {
    await unlessMissing(this.#api.write(zonePath(zone), { method: 'DELETE', as: 'empty' }))
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readZone(zone))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  // Nothing less than the whole zone can be asked for.
  async #readSet(zone: Zone, key: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const { held } = await this.#readZone(zone)
    return held.filter((one) => rrsetKey(one) === rrsetKey(key))
  }

  async #readZone(zone: Zone): Promise<HeldRecords> {
    const { body } = await this.#api.read(zonePath(zone), { schema: WholeZone, large: true })
    return await collectRecords([body.Records], (raw) => readRecord(raw, zone), this.#spelled)
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    return await applyOneByOne(edits, {
      readAll: async () => (await this.#readZone(zone)).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#write(zone, edit, record),
      singleReads: 1,
    })
  }

  /** Answers the id of the record. */
  async #write(zone: Zone, edit: RRsetEdit, record: PlannedRecord): Promise<string | null> {
    const { write, held } = record
    const path = `${zonePath(zone)}/records`
    if (held === null) {
      const json = writeRecord(edit, record, undefined, zone)
      const { body } = await this.#api.write(path, { method: 'PUT', json, schema: Made })
      return String(body.Id)
    }
    const call = write === 'delete' ? { method: 'DELETE' } : this.#change(edit, record, held, zone)
    try {
      await this.#api.write(`${path}/${held.id}`, { ...call, as: 'empty' })
    } catch (error) {
      // Somebody else took it away.
      if (write !== 'delete' || !(error instanceof ApiFailure) || error.code !== NO_RECORD) throw error
    }
    return write === 'delete' ? null : held.id
  }

  #change(edit: RRsetEdit, record: PlannedRecord, held: HeldRecord, zone: Zone) {
    return { method: 'POST', json: writeRecord(edit, record, this.#spelled.get(held), zone) }
  }
}

const zonePath = ({ id }: Zone): string => `/dnszone/${encodeURIComponent(id)}`

function toZone({ Id: id, Domain: name, NameserversDetected: isDelegated, ...raw }: RawZone): Zone {
  const servers = [raw.Nameserver1, raw.Nameserver2].flatMap((server) => server || [])
  return {
    id: String(id),
    name: name.toLowerCase(),
    ...(servers.length > 0 && { nameServers: servers.map((server) => server.toLowerCase()) }),
    ...(isDelegated !== undefined && { status: isDelegated ? 'active' : 'pending' }),
  }
}
