import { Type } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { rrsetKey, type Routing } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readName, writeName } from '../../../../dns/wire/wire-name.ts'
import type { AdapterContext } from '../../context.ts'
import { ProviderError, unlessMissing, unlessThere } from '../../contract.ts'
import type {
  ChangeOutcome,
  DnsAdapter,
  NewZone,
  RRset,
  RRsetEdit,
  RRsetPage,
  Unfinished,
  Zone,
} from '../../contract.ts'
import { absolute, allDone, editedSet, NO_SET } from '../../shared/edited-set.ts'
import type { ApiClient } from '../../client/client.ts'
import { byCursor } from '../../client/paging.ts'
import { untilDone } from '../../client/polling.ts'
import { hasInstead, toPage, toRRset, type ListedSet } from '../../shared/listed-sets.ts'
import type { Credentials } from './account.ts'
import { isOutdated, openApi, RawPage, RawSet, RawZone } from './client.ts'
import { isDisabled, isGoing, isPending, toListed, writeChanged, writeNew } from './record-set.ts'

const PAGE_SIZE = 500
/** Somebody else may change the same set. */
const MAX_TRIES = 3

const Zones = Type.Intersect([RawPage, Type.Object({ zones: Type.Array(RawZone) })])
const Sets = Type.Intersect([RawPage, Type.Object({ recordsets: Type.Array(RawSet) })])
const NameServers = Type.Object({ nameservers: Type.Array(Type.Object({ hostname: Type.String() })) })

type SetKey = Pick<RRsetEdit, 'name' | 'type' | 'routing'>

/** A set, and how Huawei has it. */
interface Held {
  raw: RawSet
  set: ListedSet
}

/** Makes no call. */
export const open = (credentials: Credentials, context: AdapterContext): DnsAdapter =>
  new HuaweiAdapter(openApi(credentials, context))

/** Huawei Cloud DNS: sets of records, by lines and weights, each written by a call, and in force a while after. */
class HuaweiAdapter implements DnsAdapter {
  readonly #api: ApiClient

  constructor(api: ApiClient) {
    this.#api = api
  }

  async verify(): Promise<void> {
    await this.#api.read('/v2/zones', { query: { type: 'public', limit: 1 }, schema: Zones })
  }

  async *listZones(): AsyncGenerator<Zone[]> {
    for await (const zones of this.#zonePages()) yield zones.map(toZone)
  }

  async *#zonePages(name?: string): AsyncGenerator<RawZone[]> {
    const query = { type: 'public', name, ...(name !== undefined && { search_mode: 'equal' }) }
    const pages = this.#pages(async (page) => {
      const { body } = await this.#api.read('/v2/zones', { query: { ...query, ...page }, schema: Zones })
      return { ...body, items: body.zones }
    })
    for await (const zones of pages) yield zones.filter((zone) => !isGoing(zone))
  }

  /** A list in pages, of which each says by which marker the next one begins. */
  async *#pages<T>(
    read: (page: { limit: number; marker: string | undefined }) => Promise<Page<T>>,
  ): AsyncGenerator<T[]> {
    let seen = 0
    const { maxZoneRecords: max } = this.#api.context
    const next = async (marker?: string) => {
      const { items, links, metadata } = await read({ limit: PAGE_SIZE, marker })
      seen += items.length
      const following = URL.parse(links?.next ?? '')?.searchParams.get('marker') ?? null
      // Less than it says would be taken for a deletion of the rest.
      if (following === null && seen < (metadata?.total_count ?? 0)) throw this.#api.malformed()
      return { items, next: following }
    }
    yield* byCursor(next, { max })
  }

  async findZones(name: string): Promise<Zone[]> {
    const found: Zone[] = []
    for await (const zones of this.#zonePages(writeName(name))) {
      for (const zone of zones.map(toZone).filter((one) => one.name === name))
        found.push(await this.#withNameServers(zone))
    }
    return found
  }

  async #withNameServers(zone: Zone): Promise<Zone> {
    const { body } = await this.#api.read(`${zonePath('v2', zone)}/nameservers`, { schema: NameServers })
    const nameServers = body.nameservers.flatMap(({ hostname }) => readName(hostname) ?? [])
    return { ...zone, ...(nameServers.length > 0 && { nameServers }) }
  }

  async createZone({ name }: NewZone): Promise<Zone> {
    const json = { name: writeName(name), zone_type: 'public' }
    const made = this.#api.write('/v2/zones', { json, schema: RawZone })
    const { body } = await unlessThere(made, () => this.findZones(name))
    await this.#untilMade(body)
    return await this.#withNameServers(toZone(body))
  }

  async #untilMade(raw: RawZone): Promise<void> {
    if (!isPending(raw)) return
    await untilDone(this.#api.context, 'Huawei Cloud DNS', async () => {
      const { body } = await this.#api.read(zonePath('v2', raw), { schema: RawZone })
      return isPending(body) ? null : body
    })
  }

  async deleteZone(zone: Zone): Promise<void> {
    await unlessMissing(this.#api.write(zonePath('v2', zone), { method: 'DELETE' }))
  }

  async *listRRsets(zone: Zone): AsyncGenerator<RRsetPage> {
    // Of several sets of one line and weight the first ones keep their keys in all pages.
    const keys = new Set<string>()
    for await (const page of this.#setPages(zone))
      yield toPage(
        toHeld(page, zone, keys).map(({ set }) => set),
        absolute,
      )
  }

  async *#setPages(zone: Zone, only: { name?: string; type?: string } = {}): AsyncGenerator<RawSet[]> {
    const query = { ...only, ...(only.name !== undefined && { search_mode: 'equal' }) }
    const pages = this.#pages(async (page) => {
      const { body } = await this.#api.read(setsPath(zone), {
        query: { ...query, ...page },
        schema: Sets,
        large: true,
      })
      return { ...body, items: body.recordsets }
    })
    for await (const sets of pages) yield sets.filter((set) => !isGoing(set))
  }

  async readRRset(
    zone: Zone,
    name: string,
    type: RecordType,
    routing: Routing | null = null,
  ): Promise<RRset | null> {
    const held = await this.#readSet(zone, { name, type, routing })
    return held && toRRset(held.set, absolute)
  }

  async #readSet(zone: Zone, key: SetKey): Promise<Held | null> {
    const only = { name: writeName(absoluteName(key.name, zone.name)), type: key.type }
    const keys = new Set<string>()
    for await (const page of this.#setPages(zone, only)) {
      const found = toHeld(page, zone, keys).find(({ set }) => rrsetKey(set) === rrsetKey(key))
      if (found !== undefined) return found
    }
    return null
  }

  async apply(zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][] | Unfinished> {
    const left: string[] = []
    for (const edit of edits) {
      const written = await this.#change(zone, edit)
      if (written !== null && isPending(written)) left.push(written.id)
    }
    const outcomes = allDone(edits)
    return left.length === 0 ? outcomes : { outcomes, change: left.join(' ') }
  }

  async isFinished(zone: Zone, change: string): Promise<boolean> {
    for (const id of change.split(' ')) {
      const found = await unlessMissing(this.#api.read(`${setsPath(zone)}/${id}`, { schema: RawSet }))
      if (found === null) continue
      if (found.body.status === 'ERROR')
        throw new ProviderError('unavailable', 'Huawei Cloud DNS failed to put this in force')
      if (isPending(found.body)) return false
    }
    return true
  }

  /** The set as Huawei has taken it; null: nothing was to be done. */
  async #change(zone: Zone, edit: RRsetEdit, tries = MAX_TRIES): Promise<RawSet | null> {
    const held = await this.#readSet(zone, edit)
    const wanted = editedSet(edit, held?.set ?? NO_SET, absolute)
    if (wanted === null) return null
    if (held !== null) refuseUnserved(held, wanted.values.length)
    const records = wanted.values.map(({ rdata }) => rdata)
    try {
      return await this.#write(zone, edit, held?.raw ?? null, records)
    } catch (error) {
      if (tries <= 1 || !isOutdated(error)) throw error
      return await this.#change(zone, edit, tries - 1)
    }
  }

  async #write(zone: Zone, edit: RRsetEdit, held: RawSet | null, records: string[]): Promise<RawSet> {
    const name = writeName(absoluteName(edit.name, zone.name))
    const json = held === null ? writeNew(edit, name, edit.ttl) : writeChanged(held, edit.ttl)
    const call =
      held === null
        ? { method: 'POST', json: { ...json, records } }
        : records.length === 0
          ? { method: 'DELETE' }
          : { method: 'PUT', json: { ...json, records } }
    const path = held === null ? setsPath(zone) : `${setsPath(zone)}/${held.id}`
    const { body } = await this.#api.write(path, { ...call, schema: RawSet })
    return body
  }
}

interface Page<T> {
  items: T[]
  links?: { next?: string | null }
  metadata?: { total_count?: number }
}

/** Each with a key of its own: of several of one line and weight, others than the first have their ids in it. */
function toHeld(page: RawSet[], zone: Zone, keys: Set<string>): Held[] {
  return page.flatMap((raw) => {
    const set = toListed(raw, zone)
    if (set === null) return []
    if (keys.has(rrsetKey(set))) set.routing = { ...set.routing, key: `${set.routing?.key ?? ''}|${raw.id}` }
    keys.add(rrsetKey(set))
    return [{ raw, set }]
  })
}

/** In a set that is not served nothing can be added that shall be. */
function refuseUnserved({ raw, set }: Held, wanted: number): void {
  if (set.instead !== undefined) throw hasInstead('Huawei Cloud DNS', set)
  if (isDisabled(raw) && wanted > set.values.length)
    throw new ProviderError(
      'rejected',
      `Huawei Cloud DNS has ${set.type} at ${set.name} disabled: enable it there first`,
    )
}

const zonePath = (version: string, { id }: Pick<Zone, 'id'>): string =>
  `/${version}/zones/${encodeURIComponent(id)}`

const setsPath = (zone: Zone): string => `${zonePath('v2.1', zone)}/recordsets`

const toZone = ({ id, name, status }: RawZone): Zone => ({
  id,
  name: name.toLowerCase().replace(/\.$/, ''),
  status: status === 'ACTIVE' ? 'active' : isPending({ status }) ? 'pending' : 'paused',
})
