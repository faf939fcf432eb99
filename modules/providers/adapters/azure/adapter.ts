import { readSoa, writeSoa } from '../../../../dns/zone-file/soa.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { AdapterContext } from '../../context.ts'
import { ProviderError } from '../../contract.ts'
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
import { allDone, editedSet, NO_SET } from '../../shared/edited-set.ts'
import type { Answer, ApiClient } from '../../client/client.ts'
import { byCursor } from '../../client/paging.ts'
import { hasInstead, toPage, toRRset } from '../../shared/listed-sets.ts'
import { whileOutdated } from '../../shared/outdated.ts'
import type { Credentials } from './account.ts'
import {
  isNoSet,
  isNoZone,
  isOutdated,
  openApi,
  RawOperation,
  RawSet,
  RawSets,
  RawSigning,
  RawZone,
  RawZones,
} from './client.ts'
import { propertiesOf, rdataOf, recordOf, recordsOf, spell, toListed, type RawRecord } from './record-data.ts'

/** Before it there are no DS, NAPTR and TLSA, and no DNSSEC. */
const VERSION = { 'api-version': '2023-07-01-preview' }
const ITEMS_A_PAGE = 1_000
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 4_000

/** Makes no call. */
export function open(credentials: Credentials, context: AdapterContext): DnsAdapter {
  const [subscription, group] = [credentials.subscriptionId, credentials.resourceGroup].map(
    encodeURIComponent,
  )
  const path = `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network/dnsZones`
  return new AzureAdapter(openApi(credentials, context), path)
}

type SetKey = Pick<RRsetEdit, 'name'> & { type: string }

/** Azure DNS: sets, each written whole where it still is as it was read. */
class AzureAdapter implements DnsAdapter {
  readonly #api: ApiClient
  /** The path of the zones of a resource group. */
  readonly #zones: string

  constructor(api: ApiClient, zones: string) {
    this.#api = api
    this.#zones = zones
  }

  async verify(): Promise<void> {
    await this.#api.read(this.#zones, { query: { $top: 1, ...VERSION }, schema: RawZones })
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    const { maxZoneRecords: max } = this.#api.context
    const read = async (query?: string) => {
      const { body } = await this.#api.read(this.#zones + (query ?? FIRST_PAGE), { schema: RawZones })
      return { items: body.value, next: queryOf(body.nextLink) }
    }
    for await (const zones of byCursor(read, { max })) yield zones.map(toZone)
  }

  async findZones(name: string): Promise<Zone[]> {
    const path = this.#pathOf({ id: name })
    const found = await unless(isNoZone, this.#api.read(path, { query: VERSION, schema: RawZone }))
    return found === null ? [] : [toZone(found.body)]
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const call = this.#api.write(this.#pathOf({ id: name }), {
      method: 'PUT',
      query: VERSION,
      headers: { 'if-none-match': '*' },
      json: { location: 'global' },
      schema: RawZone,
    })
    const made = await unless(isOutdated, call)
    if (made === null) throw new ProviderError('conflict', 'Azure DNS has this zone already')
    return toZone(made.body)
  }

  async deleteZone(zone: Zone): Promise<void> {
    const call = this.#api.write(this.#pathOf(zone), { method: 'DELETE', query: VERSION, as: 'none' })
    const answer = await unless(isNoZone, call)
    if (answer !== null) await this.#untilDone(answer)
  }

  /** Azure goes on with some things after its answer, which says where to ask. */
  async #untilDone({ headers }: Answer): Promise<void> {
    const { clock, signal, deadline } = this.#api.context
    const address = URL.parse(headers['azure-asyncoperation'] ?? '')
    if (address === null) return
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const { body } = await this.#api.read(address.pathname + address.search, { schema: RawOperation })
      if (body.status === 'Succeeded') return
      if (['Failed', 'Canceled'].includes(body.status))
        throw new ProviderError('rejected', 'Azure DNS began with this, and gave it up')
      if (clock.now() + wait > deadline)
        throw new ProviderError('timeout', 'Azure DNS is not done with this yet', { outcome: 'unknown' })
      await clock.sleep(wait, signal)
    }
  }

  async readDnssec(zone: Zone): Promise<Dnssec> {
    const call = this.#api.read(this.#signingPath(zone), { query: VERSION, schema: RawSigning })
    const { provisioningState: state, signingKeys: keys = [] } =
      (await unless(isNoSet, call))?.body.properties ?? {}
    const signed = state === 'Succeeded'
    const infos = signed ? keys.flatMap(({ delegationSignerInfo: all = [] }) => all) : []
    return { signed, ds: infos.flatMap(({ record }) => typeOf('DS').read(record) ?? []) }
  }

  async writeDnssec(zone: Zone, signed: boolean): Promise<void> {
    if ((await this.readDnssec(zone)).signed === signed) return
    const call = signed ? ({ method: 'PUT', json: {} } as const) : ({ method: 'DELETE' } as const)
    await this.#untilDone(
      await this.#api.write(this.#signingPath(zone), { ...call, query: VERSION, as: 'none' }),
    )
  }

  #signingPath(zone: Zone): string {
    return `${this.#pathOf(zone)}/dnssecConfigs/default`
  }

  async readSoa(zone: Zone): Promise<Soa> {
    const { raw, record } = await this.#readSoa(zone)
    const soa = readSoa(rdataOf('SOA', record))
    if (soa === null) throw this.#api.malformed()
    return { ...soa, ttl: raw.properties.TTL }
  }

  async #readSoa(zone: Zone): Promise<{ raw: RawSet; record: RawRecord }> {
    const raw = await this.#readSet(zone, APEX_SOA)
    const [record] = raw === null ? [] : recordsOf(raw)
    if (raw === null || record === undefined) throw this.#api.malformed()
    return { raw, record }
  }

  async writeSoa(zone: Zone, { ttl, ...soa }: Soa): Promise<void> {
    await whileOutdated(async () => {
      const { raw, record } = await this.#readSoa(zone)
      // Azure leaves the serial as it is.
      const wanted = recordOf('SOA', writeSoa({ ...soa, serial: (soa.serial + 1) % 2 ** 32 }))
      // It can't be changed, and must be spelled as Azure does.
      const host = readSoa(rdataOf('SOA', record))?.primary === soa.primary ? record['host'] : wanted['host']
      await this.#put(zone, APEX_SOA, raw, { ttl, records: [{ ...wanted, host }], extra: null })
    }, isOutdated)
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    const { maxZoneRecords: max } = this.#api.context
    const path = `${this.#pathOf(zone)}/recordsets`
    const read = async (query?: string) => {
      const { body } = await this.#api.read(path + (query ?? FIRST_PAGE), { large: true, schema: RawSets })
      return { items: body.value, next: queryOf(body.nextLink) }
    }
    for await (const page of byCursor(read, { max }))
      yield toPage(
        page.flatMap((raw) => toListed(raw, zone) ?? []),
        spell,
        JSON.stringify,
      )
  }

  async readRRset(zone: Zone, name: string, type: RecordType): Promise<RRset | null> {
    const raw = await this.#readSet(zone, { name, type })
    const listed = raw && toListed(raw, zone)
    return listed && toRRset(listed, spell)
  }

  async #readSet(zone: Zone, key: SetKey): Promise<RawSet | null> {
    const call = this.#api.read(this.#setPath(zone, key), { query: VERSION, schema: RawSet })
    return (await unless(isNoSet, call))?.body ?? null
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]> {
    for (const edit of edits) await whileOutdated(() => this.#applyOne(zone, edit), isOutdated)
    return allDone(edits)
  }

  async #applyOne(zone: Zone, edit: RRsetEdit): Promise<void> {
    const held = await this.#readSet(zone, edit)
    const listed = held && toListed(held, zone)
    const wanted = editedSet(edit, listed ?? NO_SET, spell)
    if (wanted === null) return
    if (listed?.instead !== undefined) throw hasInstead('Azure DNS', listed)
    const records = wanted.values.map(({ rdata }) => rdata)
    if (records.length > 0)
      return this.#put(zone, edit, held, { ttl: wanted.ttl ?? 0, records, extra: edit.extra })
    await this.#api.write(this.#setPath(zone, edit), {
      method: 'DELETE',
      query: VERSION,
      headers: guardOf(held),
      as: 'none',
    })
  }

  async #put(
    zone: Zone,
    key: SetKey,
    held: RawSet | null,
    content: Parameters<typeof propertiesOf>[2],
  ): Promise<void> {
    await this.#api.write(this.#setPath(zone, key), {
      method: 'PUT',
      query: VERSION,
      headers: guardOf(held),
      json: { properties: propertiesOf(key.type, held, content) },
      schema: RawSet,
    })
  }

  #pathOf({ id }: Pick<Zone, 'id'>): string {
    return `${this.#zones}/${encodeURIComponent(id)}`
  }

  #setPath(zone: Zone, { name, type }: SetKey): string {
    return `${this.#pathOf(zone)}/${type}/${encodeURIComponent(name)}`
  }
}

const APEX_SOA: SetKey = { name: '@', type: 'SOA' }

const FIRST_PAGE = `?${new URLSearchParams({ ...VERSION, $top: String(ITEMS_A_PAGE) }).toString()}`

/** What the address of the next page asks for; it may name another host than ours, before a proxy. */
const queryOf = (link: string | null | undefined): string | null => URL.parse(link ?? '')?.search ?? null

/** The set must be as it was read, or still not there. */
const guardOf = (held: RawSet | null): Record<string, string> =>
  held === null ? { 'if-none-match': '*' } : held.etag === undefined ? {} : { 'if-match': held.etag }

/** Null where the call ends in that way. */
async function unless<T>(is: (error: unknown) => boolean, call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (is(error)) return null
    throw error
  }
}

function toZone({ name, properties }: RawZone): Zone {
  const servers = (properties?.nameServers ?? []).flatMap((server) => readName(server) ?? [])
  return {
    id: name,
    name: name.toLowerCase(),
    kind: 'primary',
    ...(servers.length > 0 && { nameServers: servers }),
  }
}
