import { Type } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import { writeName } from '../../../../dns/wire/wire-name.ts'
import type { ApiClient } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { byCursor } from '../../client/paging.ts'
import { untilDone } from '../../client/polling.ts'
import { IncompleteList, ProviderError, unlessMissing, type Zone } from '../../contract.ts'
import { byRRset } from '../../shared/rrsets/by-rrset.ts'
import type { Account } from '../../shared/define-provider.ts'
import { absolute } from '../../shared/rrsets/edited-set.ts'
import type { ListedSet } from '../../shared/rrsets/listed-sets.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import { explain, isOutdated, RawPage, RawSet, RawZone, sign } from './client.ts'
import { ownUrl, type Credentials } from './index.ts'
import { isBeingDeleted, isDisabled, isPending, toListed, writeChanged, writeNew } from './record-set.ts'

const PAGE_SIZE = 500

const Zones = Type.Intersect([RawPage, Type.Object({ zones: Type.Array(RawZone) })])
const Sets = Type.Intersect([RawPage, Type.Object({ recordsets: Type.Array(RawSet) })])
const NameServers = Type.Object({ nameservers: Type.Array(Type.Object({ hostname: Type.String() })) })

/**
 * Huawei Cloud DNS, version 2 and 2.1 (https://support.huaweicloud.com/intl/en-us/api-dns/dns_api_60000.html). Sets have
 * lines and weights, and take effect some time after the response.
 */
export const open = byRRset({
  api(account: Account<Credentials>) {
    const { credentials, context } = account
    const address = addressOf(ownUrl(credentials.region), credentials.apiUrl)
    const base = new URL(address.url).pathname.replace(/\/$/, '')
    return clientOf(
      { ...account, ...address },
      {
        secrets: [credentials.secretKey],
        authenticate: (request) => sign(request, credentials, { now: context.clock.now(), base }),
        explain,
      },
    )
  },

  verify: (api) => api.read('/v2/zones', { query: { type: 'public', limit: 1 }, schema: Zones }),

  listZones: (api) => zonePages(api),

  async findZones(api, name) {
    const found: Zone[] = []
    for await (const zones of zonePages(api, writeName(name)))
      for (const zone of zones) found.push(await withNameServers(api, zone))
    return found
  },

  async createZone(api, { name }) {
    const json = { name: writeName(name), zone_type: 'public' }
    const { body } = await api.write('/v2/zones', { json, schema: RawZone })
    if (isPending(body))
      await untilDone(api.context, 'Huawei Cloud DNS', async () => {
        const read = await api.read(zonePath('v2', body), { schema: RawZone })
        return isPending(read.body) ? null : read.body
      })
    return await withNameServers(api, toZone(body))
  },

  deleteZone: (api, zone) => api.write(zonePath('v2', zone), { method: 'DELETE' }),

  async *listSets(api, zone, only) {
    const name = only && writeName(absoluteName(only.name, zone.name))
    const query = only && { name, type: only.type, search_mode: 'equal' }
    const pages = pagesOf(async (page) => {
      const call = { query: { ...query, ...page }, schema: Sets, large: true }
      const { body } = await api.read(setsPath(zone), call)
      return { ...body, items: body.recordsets }
    })
    // Of several sets with the same line and weight, the first keeps its key on all pages.
    const keys = new Set<string>()
    for await (const page of pages)
      yield page
        .filter((raw) => !isBeingDeleted(raw))
        .flatMap((raw) => {
          const set = toListed(raw, zone)
          return set === null ? [] : [{ raw, set: withOwnKey(set, raw, keys) }]
        })
  },

  toSet: ({ set }) => set,
  spell: () => absolute,
  isOutdated,

  async writeSet(api, zone, write) {
    const { raw: listed, ttl, rdata, held } = write
    if (listed === null) {
      const name = writeName(absoluteName(write.name, zone.name))
      return await send(api, setsPath(zone), {
        method: 'POST',
        json: { ...writeNew(write, name), records: rdata },
      })
    }
    const { raw } = listed
    if (isDisabled(raw) && rdata.length > (held?.values.length ?? 0))
      throw new ProviderError(
        'rejected',
        `${write.type} at ${write.name} is disabled at Huawei Cloud DNS; enable it there first`,
      )
    const path = `${setsPath(zone)}/${raw.id}`
    if (rdata.length === 0) return await send(api, path, { method: 'DELETE' })
    return await send(api, path, { method: 'PUT', json: { ...writeChanged(raw, ttl), records: rdata } })
  },

  async isFinished(api, zone, id) {
    const found = await unlessMissing(api.read(`${setsPath(zone)}/${id}`, { schema: RawSet }))
    if (found === null) return true
    if (found.body.status === 'ERROR')
      throw new ProviderError('unavailable', 'Huawei Cloud DNS failed to put this change into effect')
    return !isPending(found.body)
  },
})

/** Returns the id of the set if it is not in effect yet. */
async function send(
  api: ApiClient,
  path: string,
  call: { method: string; json?: object },
): Promise<string[]> {
  const { body } = await api.write(path, { ...call, schema: RawSet })
  return isPending(body) ? [body.id] : []
}

async function* zonePages(api: ApiClient, name?: string): AsyncGenerator<Zone[]> {
  const query = { type: 'public', name, ...(name !== undefined && { search_mode: 'equal' }) }
  const pages = pagesOf(async (page) => {
    const { body } = await api.read('/v2/zones', { query: { ...query, ...page }, schema: Zones })
    return { ...body, items: body.zones }
  })
  for await (const zones of pages) yield zones.filter((zone) => !isBeingDeleted(zone)).map(toZone)
}

interface ListPage<T> {
  items: T[]
  links?: { next?: string | null }
  metadata?: { total_count?: number }
}

/** A list in pages, each with the marker of the next one. */
function pagesOf<T>(
  read: (page: { limit: number; marker: string | undefined }) => Promise<ListPage<T>>,
): AsyncGenerator<T[]> {
  let seen = 0
  return byCursor(async (marker) => {
    const { items, links, metadata } = await read({ limit: PAGE_SIZE, marker })
    seen += items.length
    const next = URL.parse(links?.next ?? '')?.searchParams.get('marker') ?? null
    // Fewer than announced would be taken for a deletion of the rest.
    if (next === null && seen < (metadata?.total_count ?? 0)) throw new IncompleteList()
    return { items, next }
  })
}

async function withNameServers(api: ApiClient, zone: Zone): Promise<Zone> {
  const { body } = await api.read(`${zonePath('v2', zone)}/nameservers`, { schema: NameServers })
  return { ...zone, ...nameServersOf(body.nameservers.map(({ hostname }) => hostname)) }
}

/** Of several sets with the same line and weight, all but the first have their id in the key. */
function withOwnKey(set: ListedSet, { id }: RawSet, keys: Set<string>): ListedSet {
  const key = `${set.routing?.key ?? ''}|${id}`
  const keyed = keys.has(rrsetKey(set)) ? { ...set, routing: { ...set.routing, key } } : set
  keys.add(rrsetKey(keyed))
  return keyed
}

const zonePath = (version: string, { id }: Pick<Zone, 'id'>): string =>
  `/${version}/zones/${encodeURIComponent(id)}`

const setsPath = (zone: Zone): string => `${zonePath('v2.1', zone)}/recordsets`

const toZone = ({ id, name, status }: RawZone): Zone => ({
  id,
  name: name.toLowerCase().replace(/\.$/, ''),
  status: status === 'ACTIVE' ? 'active' : isPending({ status }) ? 'pending' : 'paused',
})
