import { isDeepStrictEqual } from 'node:util'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { readSoa, writeSoa } from '../../../../dns/zone-file/soa.ts'
import { writeName } from '../../../../dns/wire/wire-name.ts'
import { takeSlices } from '../../../../plugins/http/event-loop.ts'
import { ProviderError } from '../../contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  Dnssec,
  Member,
  MemberChange,
  NewZone,
  RRset,
  RRsetEdit,
  RRsetPage,
  Soa,
  Zone,
} from '../../contract.ts'
import { noteSiblings } from '../../shared/siblings.ts'
import type { AdapterContext } from '../../context.ts'
import type { ApiClient } from '../../client/client.ts'
import type { Credentials } from './account.ts'
import { isServerFailure, malformed, openApi } from './client.ts'
import { readApexSoa, readRRsets, readZone, zonePath } from './reader.ts'
import {
  RawServer,
  RawZone,
  RawZones,
  toPage,
  toRRset,
  toZone,
  type RawRecord,
  type RawRRset,
  RawKeys,
  type Patch,
} from './zone-data.ts'

// A few milliseconds of work.
const PAGE_SIZE = 500
// Each costs a call.
const MAX_SPELLED = 20

/** PowerDNS through its HTTP API. RRsets are replaced as a whole; one PATCH is one transaction. */
export class PowerDnsAdapter implements DnsAdapter {
  readonly #api: ApiClient

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    const { body: server } = await this.#api.read('', { schema: RawServer })
    // A recursor has the same API, but only forwarded zones.
    if (server.daemon_type !== 'authoritative') {
      throw new ProviderError('rejected', 'This is a PowerDNS recursor, not an authoritative server')
    }
  }

  // The whole list is one response.
  async *listZones(): AsyncGenerator<Zone[]> {
    yield await this.#zones('/zones?dnssec=false')
  }

  async findZones(name: string): Promise<Zone[]> {
    // Servers before 4.1 don't know the parameter and return all zones.
    const query = new URLSearchParams({ zone: `${name}.`, dnssec: 'false' })
    const zones = await this.#zones(`/zones?${query.toString()}`)
    return zones.filter((zone) => zone.name === name)
  }

  async #zones(path: string): Promise<Zone[]> {
    const { body } = await this.#api.read(path, { large: true, schema: RawZones })
    return body.map(toZone)
  }

  async createZone({ name, nameServers, soa }: NewZone): Promise<Zone> {
    const apex = writeName(name)
    const servers = nameServers.map((server) => ({ content: writeName(server), disabled: false }))
    const zone = {
      name: apex,
      kind: 'Native',
      nameservers: [],
      soa_edit_api: 'DEFAULT',
      rrsets: [
        { name: apex, type: 'SOA', ttl: soa.ttl, records: [{ content: writeSoa(soa), disabled: false }] },
        { name: apex, type: 'NS', ttl: soa.ttl, records: servers },
      ],
    }
    const { body } = await orLocked(
      () => this.#api.write('/zones', { json: zone, status: 201, schema: RawZone }),
      async () => (await this.findZones(name)).length === 0,
    )
    return toZone(body)
  }

  async readDnssec(zone: Zone): Promise<Dnssec> {
    const { body } = await this.#api.read(`${zonePath(zone)}/cryptokeys`, { schema: RawKeys })
    const active = body.filter((key) => key.active)
    return {
      signed: active.length > 0,
      ds: active.flatMap(({ ds = [] }) => ds.flatMap((rdata) => typeOf('DS').read(rdata) ?? [])),
    }
  }

  async writeDnssec(zone: Zone, signed: boolean): Promise<void> {
    // A repeated request would create more keys.
    if ((await this.readDnssec(zone)).signed === signed) return
    await orLocked(
      () =>
        this.#api.write(zonePath(zone), {
          method: 'PUT',
          json: { dnssec: signed, api_rectify: true },
          status: 204,
        }),
      async () => (await this.readDnssec(zone)).signed !== signed,
    )
  }

  async readSoa(zone: Zone): Promise<Soa> {
    const { ttl, records } = await readApexSoa(this.#api, zone)
    const soa = readSoa(records[0]?.content ?? '')
    if (soa === null) throw malformed()
    return { ...soa, ttl }
  }

  async writeSoa(zone: Zone, soa: Soa): Promise<void> {
    // If the zone has soa_edit_api, PowerDNS raises the serial itself.
    const serial = (soa.serial + 1) % 2 ** 32
    const patch: Patch = {
      name: writeName(zone.name),
      type: 'SOA',
      changetype: 'REPLACE',
      ttl: soa.ttl,
      records: [{ content: writeSoa({ ...soa, serial }), disabled: false }],
    }
    await orLocked(
      () => this.#patch(zone, [patch]),
      async () => (await this.readSoa(zone)).serial === soa.serial,
    )
  }

  async #patch(zone: Zone, rrsets: Patch[]): Promise<void> {
    await this.#api.write(zonePath(zone), { method: 'PATCH', json: { rrsets }, as: 'none', status: 204 })
  }

  async deleteZone(zone: Zone): Promise<void> {
    try {
      await orLocked(
        () => this.#api.write(zonePath(zone), { method: 'DELETE', as: 'none', status: 204 }),
        async () => (await this.findZones(zone.name)).length > 0,
      )
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error
    }
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    const raw = await readZone(this.#api, zone)
    const slice = takeSlices()
    for (let start = 0; start < raw.length; start += PAGE_SIZE) {
      yield toPage(raw.slice(start, start + PAGE_SIZE), zone)
      await slice()
    }
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const [raw] = await readRRsets(this.#api, zone, [{ name, type }])
    return raw === undefined ? null : toRRset(raw, zone)
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    const current = await readRRsets(this.#api, zone, edits)
    const patches = edits.flatMap((edit, index) => {
      const rrset = current[index]
      const patch = rrset === undefined ? null : toPatch(edit, rrset)
      return patch === null ? [] : [patch]
    })
    // PowerDNS checks in order, so deletions that make room for a CNAME go first.
    patches.sort((a, b) => Number(isServed(a)) - Number(isServed(b)))
    if (patches.length > 0) {
      await orLocked(
        () => this.#write(zone, patches),
        async () => isDeepStrictEqual(await readRRsets(this.#api, zone, edits), current),
      )
    }
    return edits.map((edit) => edit.changes.map(() => ({ ok: true, providerId: null })))
  }

  /**
   * PowerDNS accepts data only in its own spelling, such as `1 60.000` for `2 0.000` in a LOC, and otherwise
   * reports that spelling. If it means the same, it is sent instead.
   */
  async #write(zone: Zone, patches: Patch[], tries = MAX_SPELLED): Promise<void> {
    try {
      await this.#patch(zone, patches)
    } catch (error) {
      const spelled = tries > 0 && error instanceof ProviderError ? respelled(patches, error.message) : null
      if (spelled === null) throw error
      await this.#write(zone, spelled, tries - 1)
    }
  }
}

/** The patches in the spelling that the refusal reports; null if it reports none. */
function respelled(patches: Patch[], refusal: string): Patch[] | null {
  const [, type = '', ours, theirs] =
    /Record \S+\/(\S+) '(.*)': Not in expected format \(parsed as '(.*)'\)$/.exec(refusal) ?? []
  const known = readType(type)
  if (known === null || ours === undefined || theirs === undefined) return null
  const value = typeOf(known).read(theirs)
  if (value === null || value !== typeOf(known).read(ours)) return null
  const respell = (record: RawRecord) => (record.content === ours ? { ...record, content: theirs } : record)
  return patches.map((patch) =>
    patch.type === type && patch.records ? { ...patch, records: patch.records.map(respell) } : patch,
  )
}

/**
 * When PowerDNS itself fails, usually another write to its database was running (as on SQLite), and this one
 * was rolled back: then the error is `locked`. `isUntouched`: whether nothing has changed.
 */
async function orLocked<T>(write: () => Promise<T>, isUntouched: () => Promise<boolean>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isServerFailure(error)) throw error
    // If reading fails, the outcome stays unknown.
    if (!(await isUntouched().catch(() => false))) throw error
    throw new ProviderError('locked', `${error.message}; nothing was written`)
  }
}

const isServed = ({ records = [] }: Patch): boolean => records.some(({ disabled }) => !disabled)

/** The whole RRset after the edit; null if nothing changes. Comments are not sent, so they stay. */
function toPatch(edit: RRsetEdit, current: RawRRset): Patch | null {
  const { name, type } = current
  noteSiblings(
    edit,
    current.records.map(({ content }) => typeOf(edit.type).read(content)),
  )
  const records = edit.changes.reduce(
    (before, change) => applyChange(edit.type, before, change),
    current.records,
  )
  const isSame =
    records.length === current.records.length &&
    records.every((record, index) => {
      const before = current.records[index]
      return record.content === before?.content && record.disabled === before.disabled
    })
  if (isSame && (current.ttl === edit.ttl || records.length === 0)) return null
  if (records.length === 0) return { name, type, changetype: 'DELETE' }
  return {
    name,
    type,
    changetype: 'REPLACE',
    ttl: edit.ttl ?? current.ttl,
    records: records.map(takeable(edit.type)),
  }
}

/** PowerDNS 4.7 shows IPv4-mapped addresses as `::ffff:192.0.2.1`, but accepts only `::ffff:c000:201`. */
const takeable =
  (type: RecordType) =>
  (record: RawRecord): RawRecord => {
    const dotted = type === 'AAAA' && record.content.includes('.') ? typeOf(type).read(record.content) : null
    return dotted === null ? record : { ...record, content: typeOf(type).write(dotted) }
  }

function applyChange(type: RecordType, records: RawRecord[], change: MemberChange): RawRecord[] {
  const isOf =
    ({ value }: Member) =>
    (record: RawRecord) =>
      typeOf(type).read(record.content) === value
  const add = (member: Member, before: RawRecord[]): RawRecord[] => {
    const disabled = member.disabled === true
    if (!before.some(isOf(member)))
      return [...before, { content: typeOf(type).write(member.value), disabled }]
    return before.map((record) => (isOf(member)(record) ? { ...record, disabled } : record))
  }
  const remove = (member: Member): RawRecord[] =>
    records.filter((record) => record.disabled !== (member.disabled === true) || !isOf(member)(record))
  if (change.action === 'add') return add(change.member, records)
  if (change.action === 'remove') return remove(change.member)
  const { from, to } = change
  if (from.value !== to.value) return add(to, remove(from))
  const stays = from.disabled === to.disabled && records.some(isOf(to))
  return stays ? records : add(to, records)
}

export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new PowerDnsAdapter(openApi(credentials, context))
