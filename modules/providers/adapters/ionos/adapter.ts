import { Type } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { memberKey, rrsetKey } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { applyInBulk, type Creation } from '../../shared/bulk-records.ts'
import { halfDone, ProviderError } from '../../contract.ts'
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
  isRefusal,
  madeMeanwhile,
  toPages,
  toRRset,
  type HeldRecord,
  type HeldRecords,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import type { ApiClient } from '../../client/client.ts'
import type { Credentials } from './account.ts'
import { isGone, isThere, openApi, RawRecord, RawZone } from './client.ts'
import { readRecord, writeChange, writeNew } from './record-data.ts'

const Zones = Type.Array(RawZone)
const WholeZone = Type.Object({ records: Type.Array(RawRecord) })
const Made = Type.Array(RawRecord)
const Changed = Type.Object({ id: Type.String() })

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new IonosAdapter(openApi(credentials, context))

/** IONOS: records with ids, made many in one call, and changed one by one. */
class IonosAdapter implements DnsAdapter {
  readonly #api: ApiClient
  readonly #spelled = new WeakMap<HeldRecord, RawRecord>()

  constructor(api: ApiClient) {
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
    return (await this.#zones()).filter((zone) => zone.name === name)
  }

  async #zones(): Promise<Zone[]> {
    const { body } = await this.#api.read('/zones', { schema: Zones, large: true })
    return body.map(toZone)
  }

  async createZone(): Promise<Zone> {
    throw new ProviderError('rejected', 'A domain has its zone at IONOS as soon as it is in the account')
  }

  async deleteZone(): Promise<void> {
    throw new ProviderError(
      'rejected',
      'IONOS keeps the zone of a domain as long as the domain is in the account',
    )
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readRecords(zone))
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await this.#readSet(zone, { name, type }))
  }

  async #readSet(zone: Zone, key: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const query = { recordName: absoluteName(key.name, zone.name), recordType: key.type }
    const { held } = await this.#readRecords(zone, query)
    return held.filter((one) => rrsetKey(one) === rrsetKey(key))
  }

  async #readRecords(
    zone: Zone,
    query: { recordName?: string; recordType?: string } = {},
  ): Promise<HeldRecords> {
    const { body } = await this.#api.read(zonePath(zone), { query, schema: WholeZone, large: true })
    return await collectRecords([body.records], (raw) => readRecord(raw, zone), this.#spelled)
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    return await applyInBulk(edits, {
      readAll: async () => (await this.#readRecords(zone)).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#write(zone, { edit, record }),
      isPlain: ({ record }) => record.write === 'create',
      createMany: (creations) => this.#createMany(zone, creations),
    })
  }

  /** Which of them are refused is not said: then each goes alone. */
  async #createMany(zone: Zone, creations: readonly Creation[]): Promise<(string | ProviderError)[]> {
    try {
      const ids = await this.#create(zone, creations)
      return ids.map((id) => id ?? this.#api.malformed('unknown'))
    } catch (error) {
      if (!(error instanceof ProviderError) || !isRefusal(error)) throw error
    }
    const results: (string | ProviderError)[] = []
    for (const creation of creations) {
      try {
        results.push((await this.#write(zone, creation)) ?? this.#api.malformed('unknown'))
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        if (!isRefusal(error)) throw results.length > 0 ? halfDone(error) : error
        results.push(error)
      }
    }
    return results
  }

  /** The ids, in the order of what is made, whichever the answer has. */
  async #create(zone: Zone, creations: readonly Creation[]): Promise<(string | undefined)[]> {
    const json = creations.map((creation) => writeNew(creation, zone))
    const { body } = await this.#api.write(recordsPath(zone), { json, schema: Made })
    const { held } = await collectRecords([body], (raw) => readRecord(raw, zone))
    const ids = new Map(held.map(({ id, member, ...key }) => [memberKey({ ...key, ...member }), id]))
    return creations.map(({ edit: { name, type }, record: { member } }) =>
      ids.get(memberKey({ name, type, value: member.value })),
    )
  }

  /** Answers the id of the record. */
  async #write(zone: Zone, creation: Creation): Promise<string | null> {
    const { edit, record } = creation
    if (record.held !== null) return await this.#change(zone, edit, record, record.held)
    try {
      const [id] = await this.#create(zone, [creation])
      return id ?? null
    } catch (error) {
      if (!isThere(error)) throw error
      return madeMeanwhile(await this.#readSet(zone, edit), record.member, error)
    }
  }

  async #change(zone: Zone, edit: RRsetEdit, record: PlannedRecord, held: HeldRecord) {
    const path = `${recordsPath(zone)}/${encodeURIComponent(held.id)}`
    if (record.write === 'delete') {
      await this.#delete(path)
      return null
    }
    const json = writeChange(edit.type, record, this.#spelled.get(held), zone)
    const { body } = await this.#api.write(path, { method: 'PUT', json, schema: Changed })
    return body.id
  }

  async #delete(path: string): Promise<void> {
    try {
      await this.#api.write(path, { method: 'DELETE', as: 'empty' })
    } catch (error) {
      // Somebody else took it away.
      if (!isGone(error)) throw error
    }
  }
}

const zonePath = ({ id }: Zone): string => `/zones/${encodeURIComponent(id)}`

const recordsPath = (zone: Zone): string => `${zonePath(zone)}/records`

const toZone = ({ id, name, type }: RawZone): Zone => ({
  id,
  name: name.toLowerCase(),
  ...(type !== undefined && { kind: type === 'SLAVE' ? 'secondary' : 'primary' }),
})
