import { ProviderError, type Zone } from '../../contract.ts'
import type { Answer, ApiClient } from '../../client/client.ts'
import { unlessCode } from '../../client/expected.ts'
import { byCursor } from '../../client/paging.ts'
import { untilDone as polled } from '../../client/polling.ts'
import { byRRset } from '../../shared/rrsets/by-rrset.ts'
import type { Account } from '../../shared/define-provider.ts'
import { whileOutdated } from '../../shared/rrsets/outdated.ts'
import { dsOf, nameServersOf, raised } from '../../shared/zone-data.ts'
import {
  isOutdated,
  NO_SET,
  NO_ZONE,
  openApi,
  OUTDATED,
  RawOperation,
  RawSet,
  RawSets,
  RawSigning,
  RawZone,
  RawZones,
} from './client.ts'
import type { Credentials } from './index.ts'
import {
  propertiesOf,
  readSoaRecord,
  recordsOf,
  spell,
  toListed,
  writeSoaRecord,
  type RawRecord,
} from './record-data.ts'

/** Earlier versions have no DS, NAPTR and TLSA, and no DNSSEC. */
const VERSION = { 'api-version': '2023-07-01-preview' }
const ITEMS_A_PAGE = 1_000

interface AzureApi {
  client: ApiClient
  context: ApiClient['context']
  /** Path of the zones of the resource group. */
  zones: string
}

interface SetPlace {
  name: string
  type: string
}

/**
 * Azure DNS (https://learn.microsoft.com/rest/api/dns/). A set is written only if it did not change after it
 * was read.
 */
export const open = byRRset({
  api(account: Account<Credentials>): AzureApi {
    const { subscriptionId, resourceGroup } = account.credentials
    const group = `/subscriptions/${encodeURIComponent(subscriptionId)}/resourceGroups/${encodeURIComponent(resourceGroup)}`
    const zones = `${group}/providers/Microsoft.Network/dnsZones`
    return { client: openApi(account), context: account.context, zones }
  },

  verify: ({ client, zones }) => client.read(zones, { query: { $top: 1, ...VERSION }, schema: RawZones }),

  listZones: ({ client, zones }) =>
    byCursor(async (query = FIRST_PAGE) => {
      const { body } = await client.read(zones + query, { schema: RawZones })
      return { items: body.value.map(toZone), next: queryOf(body.nextLink) }
    }),

  async findZones(api, name) {
    const call = { query: VERSION, schema: RawZone }
    const found = await unlessCode(api.client.read(zonePath(api, { id: name }), call), ...NO_ZONE)
    return found === null ? [] : [toZone(found.body)]
  },

  async createZone(api, { name }) {
    const call = api.client.write(zonePath(api, { id: name }), {
      method: 'PUT',
      query: VERSION,
      headers: { 'if-none-match': '*' },
      json: { location: 'global' },
      schema: RawZone,
    })
    const created = await unlessCode(call, OUTDATED)
    if (created === null) throw new ProviderError('conflict', 'Azure DNS already has this zone')
    return toZone(created.body)
  },

  async deleteZone(api, zone) {
    const call = api.client.write(zonePath(api, zone), { method: 'DELETE', query: VERSION, as: 'none' })
    const answer = await unlessCode(call, ...NO_ZONE)
    if (answer !== null) await untilDone(api, answer)
  },

  listSets: (api, zone) =>
    byCursor(async (query = FIRST_PAGE) => {
      const path = `${zonePath(api, zone)}/recordsets${query}`
      const { body } = await api.client.read(path, { large: true, schema: RawSets })
      return { items: body.value, next: queryOf(body.nextLink) }
    }),

  readSet,
  toSet: toListed,
  spell: () => spell,
  show: JSON.stringify,
  isOutdated,

  async writeSet(api, zone, { name, type, ttl, rdata, extra, raw }) {
    if (rdata.length > 0)
      return await putSet(api, zone, { name, type }, raw, { ttl: ttl ?? 0, records: rdata, extra })
    await api.client.write(setPath(api, zone, { name, type }), {
      method: 'DELETE',
      query: VERSION,
      headers: guardOf(raw),
      as: 'none',
    })
  },

  others: (api) => ({
    readDnssec: (zone) => readDnssec(api, zone),

    async writeDnssec(zone, signed) {
      if ((await readDnssec(api, zone)).signed === signed) return
      const call = signed ? ({ method: 'PUT', json: {} } as const) : ({ method: 'DELETE' } as const)
      const path = signingPath(api, zone)
      await untilDone(api, await api.client.write(path, { ...call, query: VERSION, as: 'none' }))
    },

    async readSoa(zone) {
      const { raw, record } = await readApexSoa(api, zone)
      const soa = readSoaRecord(record)
      if (soa === null) throw api.client.malformed()
      return { ...soa, ttl: raw.properties.TTL }
    },

    async writeSoa(zone, { ttl, ...soa }) {
      await whileOutdated(async () => {
        const { raw, record } = await readApexSoa(api, zone)
        // Azure does not raise the serial itself.
        const wanted = writeSoaRecord(raised(soa))
        // The primary can't be changed, and must be spelled as Azure does.
        const host = readSoaRecord(record)?.primary === soa.primary ? record['host'] : wanted['host']
        await putSet(api, zone, APEX_SOA, raw, { ttl, records: [{ ...wanted, host }], extra: null })
      }, isOutdated)
    },
  }),
})

async function readSet(api: AzureApi, zone: Zone, place: SetPlace): Promise<RawSet | null> {
  const call = api.client.read(setPath(api, zone, place), { query: VERSION, schema: RawSet })
  return (await unlessCode(call, NO_SET))?.body ?? null
}

async function putSet(
  api: AzureApi,
  zone: Zone,
  place: SetPlace,
  raw: RawSet | null,
  content: { ttl: number; records: readonly RawRecord[]; extra: unknown },
): Promise<void> {
  await api.client.write(setPath(api, zone, place), {
    method: 'PUT',
    query: VERSION,
    headers: guardOf(raw),
    json: { properties: propertiesOf(place.type, raw, content) },
    schema: RawSet,
  })
}

async function readDnssec(api: AzureApi, zone: Zone) {
  const call = api.client.read(signingPath(api, zone), { query: VERSION, schema: RawSigning })
  const { provisioningState: state, signingKeys: keys = [] } =
    (await unlessCode(call, NO_SET))?.body.properties ?? {}
  const signed = state === 'Succeeded'
  const infos = signed ? keys.flatMap(({ delegationSignerInfo: all = [] }) => all) : []
  return { signed, ds: dsOf(infos.map(({ record }) => record)) }
}

async function readApexSoa(api: AzureApi, zone: Zone): Promise<{ raw: RawSet; record: RawRecord }> {
  const raw = await readSet(api, zone, APEX_SOA)
  const [record] = raw === null ? [] : recordsOf(raw)
  if (raw === null || record === undefined) throw api.client.malformed()
  return { raw, record }
}

/** Some operations continue after the response, which has the address of their status. */
async function untilDone({ client, context }: AzureApi, { headers }: Answer): Promise<void> {
  const address = URL.parse(headers['azure-asyncoperation'] ?? '')
  if (address === null) return
  await polled(context, 'Azure DNS', async () => {
    const { body } = await client.read(address.pathname + address.search, { schema: RawOperation })
    if (['Failed', 'Canceled'].includes(body.status))
      throw new ProviderError('rejected', 'Azure DNS started this operation but did not complete it')
    return body.status === 'Succeeded' ? body : null
  })
}

const APEX_SOA = { name: '@', type: 'SOA' }

const FIRST_PAGE = `?${new URLSearchParams({ ...VERSION, $top: String(ITEMS_A_PAGE) }).toString()}`

/** The query of the next page. The host of the link is another than ours behind a proxy. */
const queryOf = (link: string | null | undefined): string | null => URL.parse(link ?? '')?.search ?? null

/** The set must not have changed since it was read, or must still be missing. */
const guardOf = (raw: RawSet | null): Record<string, string> =>
  raw === null ? { 'if-none-match': '*' } : raw.etag === undefined ? {} : { 'if-match': raw.etag }

const zonePath = ({ zones }: AzureApi, { id }: Pick<Zone, 'id'>): string =>
  `${zones}/${encodeURIComponent(id)}`

const setPath = (api: AzureApi, zone: Zone, { name, type }: SetPlace): string =>
  `${zonePath(api, zone)}/${type}/${encodeURIComponent(name)}`

const signingPath = (api: AzureApi, zone: Zone): string => `${zonePath(api, zone)}/dnssecConfigs/default`

const toZone = ({ name, properties }: RawZone): Zone => ({
  id: name,
  name: name.toLowerCase(),
  kind: 'primary',
  ...nameServersOf(properties?.nameServers),
})
