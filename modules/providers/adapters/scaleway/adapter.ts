import { Type } from '@sinclair/typebox'
import { registrableDomain } from '../../../../dns/names/domain-names.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { ApiClient } from '../../client/client.ts'
import { byNumber } from '../../client/paging.ts'
import { ProviderError, type Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { emptyAtApex } from '../../shared/spelling/owner-names.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { nameServersOf } from '../../shared/zone-data.ts'
import { explain, isOutdated, Page, RawRecord, RawZone } from './client.ts'
import type { Credentials } from './index.ts'
import { extraOf, readValue, writeRecord } from './record-data.ts'

const PAGE_SIZE = 1000

const Zones = Page({ dns_zones: Type.Array(RawZone) })
const Records = Page({ records: Type.Array(RawRecord) })
const Written = Type.Object({ records: Type.Array(Type.Object({ id: Type.String() })) })

interface ScalewayApi {
  client: ApiClient
  context: ApiClient['context']
  projectId: string
}

/**
 * Scaleway's Domains and DNS API, v2beta1 (https://www.scaleway.com/en/developers/api/domains-and-dns/). A record gets a new
 * id when it changes. All changes of a call become one version of the zone.
 */
export const open = byId({
  api(account: Account<Credentials>): ScalewayApi {
    const { secretKey, projectId } = account.credentials
    const authenticate = () => ({ 'x-auth-token': secretKey })
    const client = clientOf(account, { secrets: [secretKey], authenticate, explain })
    return { client, context: account.context, projectId }
  },

  async verify(api) {
    const { items } = await zonePage(api, 1)
    if (items.length > 0) return
    const query = { page: 1, page_size: 1 }
    const { body } = await api.client.read('/dns-zones', { query, schema: Zones })
    // The list is also empty for a project that does not exist, or belongs to others.
    if (body.total_count > 0)
      throw new ProviderError(
        'not_found',
        'This key has zones in other Scaleway projects, but not in this one',
      )
  },

  listZones: (api, name) =>
    byNumber(
      async (page) => {
        const { items, total } = await zonePage(api, page, name)
        return { items: items.map(toZone), total }
      },
      { size: PAGE_SIZE },
    ),

  async createZone({ client, projectId }, { name }) {
    const domain = registrableDomain(name)
    const json = { domain, subdomain: name.slice(0, -domain.length - 1), project_id: projectId }
    return toZone((await client.write('/dns-zones', { json, schema: RawZone })).body)
  },

  deleteZone: ({ client, projectId }, zone) =>
    client.write(zonePath(zone), { method: 'DELETE', query: { project_id: projectId } }),

  async *listRecords(api, zone, only) {
    const owner = only && emptyAtApex(only.name)
    for await (const page of recordPages(
      api,
      zone,
      only && { type: only.type, ...(owner && { name: owner }) },
    )) {
      yield page
      // The apex can't be requested by its empty name, but it is listed first.
      if (owner !== undefined && page.at(-1)?.name !== owner) return
    }
  },

  toRecord: (raw, zone) => ({
    ...raw,
    name: readOwner(raw.name, zone.name),
    member: { comment: raw.comment ?? '', ...extraOf(raw) },
  }),

  readValue,

  async writeRecords(api, zone, writes) {
    const json = {
      changes: writes.map(changeOf),
      return_all_records: false,
      // Otherwise Scaleway would create a missing zone.
      disallow_new_zone_creation: true,
    }
    const { body } = await api.client
      .write(`${zonePath(zone)}/records`, { method: 'PATCH', json, schema: Written })
      .catch((error: unknown) => whyForbidden(api, zone, error))
    const ids = body.records.map(({ id }) => id)
    const idOf = ({ write }: RecordWrite<RawRecord>) => (write === 'delete' ? null : (ids.shift() ?? null))
    return { ids: writes.map(idOf), change: zone.name }
  },

  isOutdated,

  others: (api) => ({
    async isFinished(_, name) {
      const [zone] = await findRaw(api, name)
      if (zone?.status !== 'error') return zone?.status !== 'pending'
      throw new ProviderError(
        'rejected',
        `Scaleway did not complete this change: ${zone.message ?? 'without a reason'}`,
      )
    },
  }),
})

async function zonePage({ client, projectId }: ScalewayApi, page: number, name?: string) {
  const query = {
    project_id: projectId,
    dns_zones: name,
    order_by: 'domain_asc',
    page,
    page_size: PAGE_SIZE,
  }
  const { body } = await client.read('/dns-zones', { query, schema: Zones, large: true })
  return { items: body.dns_zones, total: body.total_count }
}

async function findRaw(api: ScalewayApi, name: string): Promise<RawZone[]> {
  const { items } = await zonePage(api, 1, name)
  return items.filter((raw) => nameOf(raw) === name)
}

function recordPages(api: ScalewayApi, zone: Zone, filter?: { name?: string; type: RecordType }) {
  return byNumber(
    async (page) => {
      const query = { order_by: 'name_asc', page, page_size: PAGE_SIZE, ...filter }
      const { body } = await api.client
        .read(`${zonePath(zone)}/records`, { query, schema: Records, large: true })
        .catch((error: unknown) => whyForbidden(api, zone, error))
      return { items: body.records, total: body.total_count }
    },
    { size: PAGE_SIZE },
  )
}

/** Scaleway also reports missing zones as forbidden. */
async function whyForbidden(api: ScalewayApi, zone: Zone, error: unknown): Promise<never> {
  const isForbidden = error instanceof ProviderError && error.kind === 'forbidden'
  if (!isForbidden || (await findRaw(api, zone.name)).length > 0) throw error
  throw new ProviderError('not_found', 'Scaleway does not have this zone in this project')
}

function changeOf(write: RecordWrite<RawRecord>): object {
  const { held } = write
  if (held === null) return { add: { records: [writeRecord(write)] } }
  if (write.write === 'delete') return { delete: { id: held.id } }
  return { set: { id: held.id, records: [writeRecord(write)] } }
}

const zonePath = ({ id }: Pick<Zone, 'id'>): string => `/dns-zones/${encodeURIComponent(id)}`

const nameOf = ({ domain, subdomain }: RawZone): string =>
  (subdomain === '' ? domain : `${subdomain}.${domain}`).toLowerCase()

const toZone = (raw: RawZone): Zone => ({
  id: nameOf(raw),
  name: nameOf(raw),
  ...nameServersOf(raw.ns),
})
