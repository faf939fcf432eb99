import { fromPresentation, toPresentation } from '../../../../dns/presentation.ts'
import { readSoa, writeSoa } from '../../../../dns/soa.ts'
import { writeName } from '../../../../dns/wire-name.ts'
import type { RecordType } from '../../../../schemas/record-type.ts'
import { ProviderError } from '../../contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  MemberChange,
  NewZone,
  RRset,
  RRsetEdit,
  RRsetPage,
  Soa,
  Zone,
} from '../../contract.ts'
import { isObject, malformed, type Client } from './client.ts'
import { readEnabled, readForWrite, readZone, zonePath } from './reader.ts'
import { parseZone, toPage, toRRset, type RawRecord, type RawRRset } from './zone-data.ts'

const PAGE_SIZE = 1000

interface Patch {
  name: string
  type: string
  changetype: 'REPLACE' | 'DELETE'
  ttl?: number
  records?: RawRecord[]
}

/** PowerDNS by its HTTP API: RRsets, replaced as a whole; one PATCH is one transaction. */
export class PowerDnsAdapter implements DnsAdapter {
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
  }

  async verify(): Promise<void> {
    const server = await this.#client.get('')
    if (!isObject(server) || typeof server['daemon_type'] !== 'string') throw malformed()
    // A recursor has the same API, but its zones are only forwarded ones.
    if (server['daemon_type'] !== 'authoritative') {
      throw new ProviderError('rejected', 'This is a PowerDNS recursor, not an authoritative server')
    }
  }

  async listZones(): Promise<Zone[]> {
    return this.#zones('/zones?dnssec=false')
  }

  async findZone(name: string): Promise<Zone | null> {
    // Servers before 4.1 don't know the parameter and answer all zones.
    const query = new URLSearchParams({ zone: `${name}.`, dnssec: 'false' })
    const zones = await this.#zones(`/zones?${query.toString()}`)
    return zones.find((zone) => zone.name === name) ?? null
  }

  async #zones(path: string): Promise<Zone[]> {
    const answer = await this.#client.get(path, { large: true })
    if (!Array.isArray(answer)) throw malformed()
    return answer.map(parseZone)
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
    return parseZone(await this.#client.create('/zones', zone))
  }

  async readSoa(zone: Zone): Promise<Soa> {
    const { ttl, records } = await readEnabled(this.#client, zone, { name: '@', type: 'SOA' })
    const soa = readSoa(records[0]?.content ?? '')
    if (soa === null) throw malformed()
    return { ...soa, ttl }
  }

  async writeSoa(zone: Zone, soa: Soa): Promise<void> {
    // Where the zone has soa_edit_api, PowerDNS raises it by itself.
    const serial = (soa.serial + 1) % 2 ** 32
    const patch: Patch = {
      name: writeName(zone.name),
      type: 'SOA',
      changetype: 'REPLACE',
      ttl: soa.ttl,
      records: [{ content: writeSoa({ ...soa, serial }), disabled: false }],
    }
    await this.#client.write('PATCH', zonePath(zone), 204, { rrsets: [patch] })
  }

  async deleteZone(zone: Zone): Promise<void> {
    try {
      await this.#client.write('DELETE', zonePath(zone), 204)
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'not_found') throw error
    }
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    const raw = await readZone(this.#client, zone)
    for (let start = 0; start < raw.length; start += PAGE_SIZE) {
      yield toPage(raw.slice(start, start + PAGE_SIZE), zone)
    }
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    return toRRset(await readEnabled(this.#client, zone, { name, type }), zone)
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    const current = await readForWrite(this.#client, zone, edits)
    const patches = edits.flatMap((edit, index) => {
      const rrset = current[index]
      const patch = rrset === undefined ? null : toPatch(edit, rrset)
      return patch === null ? [] : [patch]
    })
    // PowerDNS checks in order, so what makes room for a CNAME goes first.
    patches.sort((a, b) => Number(a.changetype === 'REPLACE') - Number(b.changetype === 'REPLACE'))
    if (patches.length > 0) await this.#client.write('PATCH', zonePath(zone), 204, { rrsets: patches })
    return edits.map((edit) => edit.changes.map(() => ({ ok: true, providerId: null })))
  }
}

/** The whole RRset as it shall be, or null when it is so already. Comments stay, as they aren't sent. */
function toPatch(edit: RRsetEdit, current: RawRRset): Patch | null {
  const { name, type } = current
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
  const hasTtl = current.ttl === edit.ttl || !records.some((record) => !record.disabled)
  if (isSame && hasTtl) return null
  if (records.length === 0) return { name, type, changetype: 'DELETE' }
  return { name, type, changetype: 'REPLACE', ttl: edit.ttl, records: records.map(takeable(edit.type)) }
}

/** PowerDNS 4.7 shows IPv4-mapped addresses as `::ffff:192.0.2.1`, and takes them as `::ffff:c000:201` alone. */
const takeable =
  (type: RecordType) =>
  (record: RawRecord): RawRecord => {
    const dotted =
      type === 'AAAA' && record.content.includes('.') ? fromPresentation(type, record.content) : null
    return dotted === null ? record : { ...record, content: toPresentation(type, dotted) }
  }

function applyChange(type: RecordType, records: RawRecord[], change: MemberChange): RawRecord[] {
  const has = (value: string) => (record: RawRecord) => fromPresentation(type, record.content) === value
  const add = (value: string, before: RawRecord[]): RawRecord[] => {
    if (!before.some(has(value)))
      return [...before, { content: toPresentation(type, value), disabled: false }]
    return before.map((record) => (has(value)(record) ? { ...record, disabled: false } : record))
  }
  // To users a disabled record isn't there, so it can't be what they remove.
  const remove = (value: string): RawRecord[] =>
    records.filter((record) => record.disabled || !has(value)(record))
  if (change.action === 'add') return add(change.member.value, records)
  if (change.action === 'remove') return remove(change.member.value)
  return change.from.value === change.to.value
    ? add(change.to.value, records)
    : add(change.to.value, remove(change.from.value))
}
