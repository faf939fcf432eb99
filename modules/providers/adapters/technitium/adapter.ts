import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { toMailAddress, toMailboxName } from '../../../../dns/names/mailbox.ts'
import { absoluteName } from '../../../../dns/names/names.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { AdapterContext } from '../../context.ts'
import { halfDone, unlessMissing } from '../../contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  Dnssec,
  NewZone,
  RRset,
  RRsetEdit,
  RRsetPage,
  Soa,
  Zone,
} from '../../contract.ts'
import { applyOneByOne } from '../../shared/applied-records.ts'
import {
  collectRecords,
  toPages,
  toRRset,
  withoutId,
  type HeldRecord,
  type HeldRecords,
  type PlannedRecord,
} from '../../shared/edited-records.ts'
import { ApiFailure, type ApiClient, type Call } from '../../client/client.ts'
import type { Credentials } from './account.ts'
import { callOf, Changed, Done, openApi, OUTDATED, RawRecord, RawZone } from './client.ts'
import { identify, readRecord, renew, writeData, writeRest } from './record-data.ts'
import { WORDS } from './words.ts'

type Form = NonNullable<Call['form']>

const Zones = Done(Type.Object({ zones: Type.Array(RawZone) }))
const Records = Done(Type.Object({ zone: RawZone, records: Type.Array(RawRecord) }))
const Text = Type.String()
const Keys = Done(
  Type.Object({
    dsRecords: Type.Array(
      Type.Object({
        keyTag: Type.Integer(),
        dnsKeyState: Type.Optional(Text),
        algorithm: Text,
        digests: Type.Array(Type.Object({ digestType: Text, digest: Text })),
      }),
    ),
  }),
)
const isSoa = TypeCompiler.Compile(
  Type.Object({
    primaryNameServer: Text,
    responsiblePerson: Text,
    serial: Type.Integer(),
    refresh: Type.Integer(),
    retry: Type.Integer(),
    expire: Type.Integer(),
    minimum: Type.Integer(),
    useSerialDateScheme: Type.Optional(Type.Boolean()),
  }),
)
/** Technitium DNS Server: records without ids, each told from the others by what it says, written one by one. */
class TechnitiumAdapter implements DnsAdapter {
  readonly #api: ApiClient
  readonly #token: string
  readonly #spelled = new WeakMap<HeldRecord, RawRecord>()

  constructor(api: ApiClient, token: string) {
    this.#api = api
    this.#token = token
  }

  async verify(): Promise<void> {
    await this.#zones({ pageNumber: 1, zonesPerPage: 1 })
  }

  // The whole list is one answer.
  async *listZones(): AsyncGenerator<Zone[]> {
    yield await this.#zones({})
  }

  async findZones(name: string): Promise<Zone[]> {
    // Older servers don't know the parameter and answer all zones.
    const zones = await this.#zones({ filterName: name })
    return zones.filter((zone) => zone.name === name)
  }

  async #zones(parameters: Form): Promise<Zone[]> {
    const call = callOf(this.#token, parameters)
    const { body } = await this.#api.read('/zones/list', { ...call, schema: Zones, large: true })
    return body.response.zones.flatMap(toZones)
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    await this.#write('/zones/create', { zone: name, type: 'Primary' })
    return { id: name, name, kind: 'primary' }
  }

  async deleteZone(zone: Zone): Promise<void> {
    await unlessMissing(this.#write('/zones/delete', { zone: zone.id }))
  }

  async #write(path: string, parameters: Form): Promise<void> {
    await this.#api.write(path, { ...callOf(this.#token, parameters), schema: Changed })
  }

  async readSoa(zone: Zone): Promise<Soa> {
    const { ttl, rData } = await this.#readApex(zone)
    const { primaryNameServer, responsiblePerson: person, ...rest } = rData
    const mail = person.includes('@') ? toMailboxName(person) : null
    const mailbox = mail?.ok ? mail.name : readName(person)
    const primary = readName(primaryNameServer)
    if (primary === null || mailbox === null) throw this.#api.malformed()
    const { serial, refresh, retry, expire, minimum } = rest
    return { primary, mailbox, serial, refresh, retry, expire, minimum, ttl }
  }

  async #readApex(zone: Zone) {
    const { records } = await this.#readRaw(zone, zone.name)
    const { ttl, rData } = records.find(({ type }) => type === 'SOA') ?? {}
    if (ttl === undefined || !isSoa.Check(rData)) throw this.#api.malformed()
    return { ttl, rData }
  }

  async writeSoa(zone: Zone, { primary, mailbox, serial, ttl, ...times }: Soa): Promise<void> {
    const { useSerialDateScheme } = (await this.#readApex(zone)).rData
    await this.#write('/zones/records/update', {
      zone: zone.id,
      domain: zone.id,
      type: 'SOA',
      ttl,
      ...times,
      primaryNameServer: primary,
      responsiblePerson: toMailAddress(mailbox),
      // The server may raise it further by itself.
      serial: (serial + 1) % 2 ** 32,
      useSerialDateScheme,
    })
  }

  async readDnssec(zone: Zone): Promise<Dnssec> {
    if (!(await this.#isSigned(zone))) return { signed: false, ds: [] }
    const call = callOf(this.#token, { zone: zone.id })
    const { body } = await this.#api.read('/zones/dnssec/viewDS', { ...call, schema: Keys })
    const ds = body.response.dsRecords
      // Before that, not all resolvers know the key yet.
      .filter(({ dnsKeyState: state = 'Ready' }) => state === 'Ready' || state === 'Active')
      .flatMap(({ keyTag, algorithm, digests }) =>
        digests.map(({ digestType, digest }) =>
          [keyTag, numberOf('algorithm', algorithm), numberOf('digestType', digestType), digest].join(' '),
        ),
      )
    return { signed: true, ds: ds.flatMap((rdata) => typeOf('DS').read(rdata) ?? []) }
  }

  async #isSigned(zone: Zone): Promise<boolean> {
    const { dnssecStatus = 'Unsigned' } = await this.#readRaw(zone, zone.name).then((read) => read.zone)
    return dnssecStatus !== 'Unsigned'
  }

  async writeDnssec(zone: Zone, signed: boolean): Promise<void> {
    if ((await this.#isSigned(zone)) === signed) return
    if (signed) await this.#write('/zones/dnssec/sign', { zone: zone.id, algorithm: 'ECDSA', curve: 'P256' })
    else await this.#write('/zones/dnssec/unsign', { zone: zone.id })
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    for await (const { rrsets, unmanaged } of toPages(await this.#readRecords(zone)))
      yield { rrsets: rrsets.map(withoutIds), unmanaged }
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const set = toRRset(await this.#readSet(zone, { name, type }))
    return set && withoutIds(set)
  }

  async #readSet(zone: Zone, { name, type }: Pick<RRsetEdit, 'name' | 'type'>): Promise<HeldRecord[]> {
    const { held } = await this.#readRecords(zone, absoluteName(name, zone.name))
    return held.filter((one) => one.name === name && one.type === type)
  }

  /** Of one name, or of the whole zone. */
  async #readRecords(zone: Zone, name?: string): Promise<HeldRecords> {
    const { records } = await this.#readRaw(zone, name)
    return await collectRecords([records], (raw) => readRecord(raw, zone), this.#spelled)
  }

  async #readRaw(zone: Zone, name?: string) {
    const call = callOf(this.#token, {
      zone: zone.id,
      domain: name ?? zone.name,
      ...(name === undefined && { listZone: true }),
    })
    const { body } = await this.#api.read('/zones/records/get', { ...call, schema: Records, large: true })
    return body.response
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    const outcomes = await applyOneByOne(edits, {
      readAll: async () => (await this.#readRecords(zone)).held,
      readSet: (edit) => this.#readSet(zone, edit),
      write: (edit, record) => this.#writeRecord(zone, edit, record),
    })
    return outcomes.map((each) => each.map((one) => (one.ok ? { ok: true, providerId: null } : one)))
  }

  /** There is no id to answer. */
  async #writeRecord(zone: Zone, edit: RRsetEdit, record: PlannedRecord): Promise<null> {
    const { write, held, member, ttl, changes } = record
    const { name, type } = edit
    const place = { zone: zone.id, domain: absoluteName(name, zone.name), type }
    const before = held === null ? undefined : this.#spelled.get(held)
    if (before === undefined) await this.#add(place, type, record)
    else if (write === 'delete') await this.#write('/zones/records/delete', { ...place, ...identify(before) })
    else {
      const wanted = { ...place, ...renew(before, type, member.value), ...writeRest(ttl, member) }
      try {
        await this.#write('/zones/records/update', wanted)
      } catch (error) {
        if (!isOutdated(error)) throw error
        // Somebody has taken it away: what a change wants to be there shall be, what was only to get a TTL not.
        if (changes.length > 0) await this.#add(place, type, record)
      }
    }
    return null
  }

  /** One that is not to be served is so after a second call. */
  async #add(place: Form, type: RecordType, { member, ttl }: PlannedRecord): Promise<void> {
    const data = writeData(type, member.value)
    const { disable, ...rest } = writeRest(ttl, member)
    await this.#write('/zones/records/add', { ...place, ...data, ...rest })
    if (disable !== true) return
    await this.#write('/zones/records/update', { ...place, ...data, ...rest, disable }).catch(
      (error: unknown) => {
        throw halfDone(error)
      },
    )
  }
}

const isOutdated = (error: unknown) => error instanceof ApiFailure && error.code === OUTDATED

/** Technitium gives none. */
const withoutIds = (set: RRset): RRset => ({ ...set, members: set.members.map(withoutId) })

const numberOf = (parameter: string, word: string): string =>
  Object.entries(WORDS[parameter] ?? {}).find(([, one]) => one === word.replaceAll('_', '-'))?.[0] ?? word

/** None of what can't be managed: the server's own, and what has no records to be edited. */
function toZones({ name, type, internal, disabled }: RawZone): Zone[] {
  if (internal === true || name === '' || !['Primary', 'Secondary'].includes(type)) return []
  return [
    {
      id: name,
      name: name.toLowerCase(),
      ...(disabled !== undefined && { status: disabled ? 'paused' : 'active' }),
      kind: type === 'Primary' ? 'primary' : 'secondary',
    },
  ]
}

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new TechnitiumAdapter(openApi(credentials, context), credentials.apiToken)
