import { Type, type Static } from '@sinclair/typebox'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { outcomesIn, writePlans, type Done, type EditPlan } from '../../shared/applied-records.ts'
import {
  collectRecords,
  isRefusal,
  outcomesOf,
  planRecords,
  toPages,
  toRRset,
  writesOf,
  type HeldRecord,
  type HeldRecords,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import { halfDone, ProviderError, tooLarge, unlessMissing } from '../../contract.ts'
import type {
  AdapterContext,
  ChangeOutcome,
  DnsAdapter,
  RRset,
  RRsetEdit,
  RRsetPage,
  Zone,
} from '../../contract.ts'
import { isCode } from '../../client/client.ts'
import type { Credentials } from './account.ts'
import { Answered, NetcupApi, NO_RECORDS, NOT_UPDATED, RawRecord } from './client.ts'
import { readRecord, writeRecord } from './record-data.ts'

const Domains = Answered(Type.Array(Type.Object({ domainname: Type.String() })))
const ZoneInfo = Answered(
  Type.Object({ ttl: Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })]) }),
)
const Records = Answered(Type.Object({ dnsrecords: Type.Array(RawRecord) }))

interface Write {
  edit: RRsetEdit
  record: PlannedRecord
}

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new NetcupAdapter(new NetcupApi(credentials, context), namesIn(credentials.domains ?? ''))

/** netcup: records with ids and one TTL for all, read with their whole zone and written many in a call. */
class NetcupAdapter implements DnsAdapter {
  readonly #api: NetcupApi
  readonly #names: string[]

  /** `names`: of the domains that are listed; none: all, which resellers are told. */
  constructor(api: NetcupApi, names: string[]) {
    this.#api = api
    this.#names = names
  }

  async verify(): Promise<void> {
    await this.#api.logIn()
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    if (this.#names.length === 0) yield await this.#allZones()
    for (const name of this.#names) yield await this.findZones(name)
  }

  async #allZones(): Promise<Zone[]> {
    try {
      const { responsedata } = await this.#api.read('listallDomains', Domains)
      return responsedata.map(({ domainname }) => toZone(domainname))
    } catch (error) {
      if (!isCode(error, '4020')) throw error
      const message = 'netcup tells resellers alone which domains there are: name yours in the configuration'
      throw new ProviderError('forbidden', message, { cause: error })
    }
  }

  async findZones(name: string): Promise<Zone[]> {
    const ttl = await unlessMissing(this.#ttlOf(name))
    return ttl === null ? [] : [{ ...toZone(name), ttl }]
  }

  async #ttlOf(domainname: string): Promise<number> {
    const { responsedata } = await this.#api.read('infoDnsZone', ZoneInfo, { domainname })
    return Number(responsedata.ttl)
  }

  async createZone(): Promise<Zone> {
    throw new ProviderError('rejected', 'A domain has its zone at netcup as soon as it is in the account')
  }

  async deleteZone(): Promise<void> {
    throw new ProviderError('rejected', 'netcup keeps the zone of a domain as long as it is in the account')
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    yield* toPages(await this.#readZone(zone))
  }

  // Nothing less than the whole zone can be asked for.
  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const { held } = await this.#readZone(zone)
    return toRRset(held.filter((one) => rrsetKey(one) === rrsetKey({ name, type })))
  }

  async #readZone(zone: Zone): Promise<HeldRecords & { ttl: number }> {
    const ttl = await this.#ttlOf(zone.id)
    const call = this.#api.read('infoDnsRecords', Records, { domainname: zone.id })
    const answer = await call.catch((error: unknown) => {
      // The zone is there: it has none.
      if (isCode(error, NO_RECORDS)) return null
      throw error
    })
    const records = answer?.responsedata.dnsrecords ?? []
    const { maxZoneRecords } = this.#api.context
    if (records.length > maxZoneRecords) throw tooLarge(maxZoneRecords)
    return { ...(await collectRecords([records], (raw) => readRecord(raw, ttl, zone))), ttl }
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    const { held, ttl } = await this.#readZone(zone)
    const wanted = edits.map((edit) => (isRemoval(edit) ? { ...edit, ttl } : edit))
    const done: Done = new Map()
    for (const edit of wanted.filter((one) => one.ttl !== ttl)) {
      const error = otherTtl(zone, ttl)
      if (edit.changes.length === 0 || edits.length === 1) throw error
      done.set(
        edit,
        edit.changes.map(() => ({ ok: false, error })),
      )
    }
    const rest = wanted.filter((edit) => !done.has(edit))
    const plans = planAll(rest, held)
    const writes = plans.flatMap(({ edit, planned }) => writesOf(planned).map((record) => ({ edit, record })))
    if (writes.length === 1) await this.#writeEach(zone, plans, ttl, done)
    else if (!(await this.#writeTogether(zone, plans, writes, ttl, done))) {
      // Of what was refused as a whole it is documented nowhere that nothing was done.
      const now = await this.#readZone(zone).catch((error: unknown) => {
        throw halfDone(error)
      })
      await this.#writeEach(zone, planAll(rest, now.held), ttl, done)
    }
    return outcomesIn(done, wanted)
  }

  /** Whether all was taken. */
  async #writeTogether(
    zone: Zone,
    plans: EditPlan[],
    writes: Write[],
    ttl: number,
    done: Done,
  ): Promise<boolean> {
    const made = new Map<PlannedRecord, ChangeOutcome>()
    try {
      const ids = writes.length === 0 ? [] : await this.#update(zone, writes.toSorted(byRoom), ttl)
      for (const [record, providerId] of ids) made.set(record, { ok: true, providerId })
    } catch (error) {
      if (!(error instanceof ProviderError) || !isRefusal(error)) throw error
      return false
    }
    for (const { edit, planned } of plans) done.set(edit, outcomesOf(edit, planned, made))
    return true
  }

  async #writeEach(zone: Zone, plans: EditPlan[], ttl: number, done: Done): Promise<void> {
    const write = async (edit: RRsetEdit, record: PlannedRecord) => {
      try {
        const [[, id]] = (await this.#update(zone, [{ edit, record }], ttl)) as [
          [PlannedRecord, string | null],
        ]
        return id
      } catch (error) {
        if (record.write !== 'delete' || !isCode(error, NOT_UPDATED)) throw error
        const { held } = await this.#readZone(zone)
        // Somebody else took it away.
        if (held.some(({ id }) => id === record.held?.id)) throw error
        return null
      }
    }
    const readAll = async () => (await this.#readZone(zone)).held
    await writePlans(plans, { readAll, readSet: readAll, write }, done)
  }

  /** The id of each, by one call; the answer is the whole zone. */
  async #update(zone: Zone, writes: Write[], ttl: number): Promise<[PlannedRecord, string | null][]> {
    const dnsrecords = writes.map(({ edit, record }) => writeRecord(edit, record))
    const param = { domainname: zone.id, dnsrecordset: { dnsrecords } }
    const { responsedata } = await this.#api.write('updateDnsRecords', Changed, param)
    const { held } = await collectRecords([recordsIn(responsedata)], (raw) => readRecord(raw, ttl, zone))
    const ids = new Map(held.map(({ id, member, ...key }) => [`${rrsetKey(key)} ${member.value}`, id]))
    return writes.map(({ edit, record }) => {
      if (record.write === 'delete') return [record, null]
      return [record, record.held?.id ?? ids.get(`${rrsetKey(edit)} ${record.member.value}`) ?? null]
    })
  }
}

/** Of an empty zone there is nothing to answer. */
const Changed = Answered(Type.Union([Records.properties.responsedata, Type.String(), Type.Null()]))

const recordsIn = (data: Static<typeof Changed>['responsedata']): RawRecord[] =>
  data === null || typeof data === 'string' ? [] : data.dnsrecords

function planAll(edits: readonly RRsetEdit[], held: HeldRecord[]): EditPlan[] {
  const sets = Map.groupBy(held, rrsetKey)
  return edits.map((edit) => ({ edit, planned: planRecords(edit, sets.get(rrsetKey(edit)) ?? []) }))
}

/** What goes first makes room for what comes. */
const byRoom = (a: Write, b: Write): number =>
  Number(b.record.write === 'delete') - Number(a.record.write === 'delete')

const isRemoval = ({ changes }: RRsetEdit): boolean =>
  changes.length > 0 && changes.every(({ action }) => action === 'remove')

const otherTtl = ({ name }: Zone, ttl: number) =>
  new ProviderError('rejected', `All records of ${name} have the TTL of its zone at netcup, which is ${ttl}`)

const namesIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((name) => name !== '')

const toZone = (name: string): Zone => ({ id: name, name: name.toLowerCase() })
