import { createHash } from 'node:crypto'
import { absoluteName } from '../../../../dns/names/names.ts'
import { readName, writeName } from '../../../../dns/wire/wire-name.ts'
import { readSoa, writeSoa } from '../../../../dns/zone-file/soa.ts'
import type { ApiClient } from '../../client/client.ts'
import { byCursor } from '../../client/paging.ts'
import { ProviderError, unlessMissing, type Zone } from '../../contract.ts'
import { byRRset } from '../../shared/rrsets/by-rrset.ts'
import type { Account } from '../../shared/define-provider.ts'
import { absolute } from '../../shared/rrsets/edited-set.ts'
import { plainValues, type ListedSet } from '../../shared/rrsets/listed-sets.ts'
import { whileOutdated } from '../../shared/rrsets/outdated.ts'
import { ownerOf } from '../../shared/spelling/owner-names.ts'
import { dsOf, nameServersOf, raised } from '../../shared/zone-data.ts'
import {
  isOutdated,
  openApi,
  RawChange,
  RawKeys,
  RawRRsets,
  RawZone,
  RawZones,
  type RawRRset,
} from './client.ts'
import type { Credentials } from './index.ts'
import { readKeyFile } from './service-account.ts'

const ITEMS_A_PAGE = 1_000
/** Sets that one change deletes when a zone is emptied; Google allows 1,000 sets and 100,000 characters. */
const MAX_DELETED = 250

interface GoogleApi {
  client: ApiClient
  context: ApiClient['context']
  /** Path of the zones of the project. */
  zones: string
}

interface SetChange {
  additions: readonly RawRRset[]
  deletions: readonly RawRRset[]
}

/** Google Cloud DNS, version 1 (https://cloud.google.com/dns/docs/reference/rest/v1). A change of sets is one transaction. */
export const open = byRRset({
  api(account: Account<Credentials>): GoogleApi {
    const key = readKeyFile(account.credentials.serviceAccount)
    const project = account.credentials.project || key.project_id
    if (project === undefined)
      throw new ProviderError('auth', 'The key does not name a project; enter the project ID')
    const zones = `/projects/${encodeURIComponent(project)}/managedZones`
    return { client: openApi(account, key), context: account.context, zones }
  },

  verify: ({ client, zones }) => client.read(zones, { query: { maxResults: 1 }, schema: RawZones }),

  listZones: ({ client, zones }, name) =>
    byCursor(async (pageToken) => {
      const only = name === undefined ? { maxResults: ITEMS_A_PAGE } : { dnsName: writeName(name) }
      const { body } = await client.read(zones, { query: { ...only, pageToken }, schema: RawZones })
      return {
        items: (body.managedZones ?? []).map((zone) => toZone(zone, client)),
        next: body.nextPageToken,
      }
    }),

  async createZone({ client, zones }, { name }) {
    // Google creates any number of zones with the same name.
    const query = { dnsName: writeName(name) }
    const { body: found } = await client.read(zones, { query, schema: RawZones })
    if (found.managedZones !== undefined && found.managedZones.length > 0)
      throw new ProviderError('conflict', 'Google Cloud DNS already has a zone of this name')
    const json = { name: slugOf(name), dnsName: writeName(name), description: `The zone ${name}` }
    return toZone((await client.write(zones, { json, schema: RawZone })).body, client)
  },

  async deleteZone(api, zone) {
    await unlessMissing(deleteSets(api, zone))
    await api.client.write(zonePath(api, zone), { method: 'DELETE', as: 'none' })
  },

  listSets: (api, zone, only) => setPages(api, zone, only),

  toSet,
  spell: () => absolute,
  pageSize: ITEMS_A_PAGE,
  isOutdated,

  async writeSets(api, zone, writes) {
    const id = await change(api, zone, {
      // Google requires the exact current sets.
      deletions: writes.flatMap(({ raw }) => raw ?? []),
      additions: writes.flatMap(({ name, type, ttl, rdata, raw }) => {
        const owner = raw?.name ?? writeName(absoluteName(name, zone.name))
        return rdata.length === 0 ? [] : [{ name: owner, type, ttl: ttl ?? 0, rrdatas: [...rdata] }]
      }),
    })
    return { changes: id === null ? [] : [id] }
  },

  async isFinished(api, zone, id) {
    const path = `${zonePath(api, zone)}/changes/${encodeURIComponent(id)}`
    const { body } = await api.client.read(path, { schema: RawChange })
    return body.status === 'done'
  },

  others: (api) => ({
    async readDnssec(zone) {
      if (!(await isSigned(api, zone))) return { signed: false, ds: [] }
      const { body } = await api.client.read(`${zonePath(api, zone)}/dnsKeys`, { schema: RawKeys })
      const keys = (body.dnsKeys ?? []).filter(({ type, isActive }) => type === 'keySigning' && isActive)
      const ds = keys.flatMap(({ keyTag, algorithm, digests = [] }) =>
        digests.map(({ type, digest }) => `${keyTag} ${ALGORITHMS[algorithm]} ${DIGESTS[type]} ${digest}`),
      )
      return { signed: true, ds: dsOf(ds) }
    },

    async writeDnssec(zone, signed) {
      if ((await isSigned(api, zone)) === signed) return
      const json = { dnssecConfig: { state: signed ? 'on' : 'off' } }
      await api.client.write(zonePath(api, zone), { method: 'PATCH', json })
    },

    async readSoa(zone) {
      const raw = await readApexSoa(api, zone)
      const soa = readSoa(raw.rrdatas?.[0] ?? '')
      if (soa === null) throw api.client.malformed()
      return { ...soa, ttl: raw.ttl }
    },

    async writeSoa(zone, { ttl, ...soa }) {
      const rdata = writeSoa(raised(soa))
      await whileOutdated(async () => {
        const before = await readApexSoa(api, zone)
        await change(api, zone, { additions: [{ ...before, ttl, rrdatas: [rdata] }], deletions: [before] })
      }, isOutdated)
    },
  }),
})

const setPages = (api: GoogleApi, zone: Zone, only?: { name: string; type: string }) =>
  byCursor(async (pageToken) => {
    const filter = only
      ? { name: writeName(absoluteName(only.name, zone.name)), type: only.type }
      : { maxResults: ITEMS_A_PAGE, pageToken }
    const path = `${zonePath(api, zone)}/rrsets`
    const { body } = await api.client.read(path, { query: filter, large: true, schema: RawRRsets })
    return { items: body.rrsets ?? [], next: body.nextPageToken }
  })

/** Returns the id of the change if it is not in effect yet. */
async function change(
  api: GoogleApi,
  zone: Zone,
  { additions, deletions }: SetChange,
): Promise<string | null> {
  const json = { additions: additions.map(writableOf), deletions: deletions.map(writableOf) }
  const { body } = await api.client.write(`${zonePath(api, zone)}/changes`, { json, schema: RawChange })
  return body.status === 'done' ? null : body.id
}

/** Google deletes a zone only after all its own sets are gone. */
async function deleteSets(api: GoogleApi, zone: Zone): Promise<void> {
  const sets: RawRRset[] = []
  for await (const page of setPages(api, zone)) sets.push(...page.filter((raw) => !isOfZone(raw, zone)))
  for (let start = 0; start < sets.length; start += MAX_DELETED)
    await change(api, zone, { additions: [], deletions: sets.slice(start, start + MAX_DELETED) })
}

async function isSigned({ client, ...api }: GoogleApi, zone: Zone): Promise<boolean> {
  const { body } = await client.read(zonePath(api, zone), { schema: RawZone })
  return (body.dnssecConfig?.state ?? 'off') !== 'off'
}

async function readApexSoa(api: GoogleApi, zone: Zone): Promise<RawRRset> {
  for await (const page of setPages(api, zone, { name: '@', type: 'SOA' })) {
    const found = page.find((raw) => raw.type === 'SOA' && ownerOf(raw.name, zone) === '@')
    if (found !== undefined) return found
  }
  throw api.client.malformed()
}

const zonePath = ({ zones }: Pick<GoogleApi, 'zones'>, { id }: Zone): string =>
  `${zones}/${encodeURIComponent(id)}`

function toZone({ name: id, dnsName, nameServers = [], visibility }: RawZone, client: ApiClient): Zone {
  const name = readName(dnsName)
  if (name === null) throw client.malformed()
  // Public resolvers never ask the name servers of a private zone.
  return { id, name, kind: 'primary', ...nameServersOf(visibility === 'private' ? [] : nameServers) }
}

const ALGORITHMS: Record<string, number> = {
  rsasha1: 5,
  rsasha256: 8,
  rsasha512: 10,
  ecdsap256sha256: 13,
  ecdsap384sha384: 14,
}

const DIGESTS: Record<string, number> = { sha1: 1, sha256: 2, sha384: 4 }

/** The id of a new zone: letters, digits and hyphens, with a hash that keeps it apart from ids people choose. */
function slugOf(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `zone-${name.replace(/[^a-z0-9]+/g, '-').slice(0, 48)}-${hash}`
}

/** Every zone has these as long as it exists. */
const isOfZone = (raw: RawRRset, zone: Zone): boolean =>
  ownerOf(raw.name, zone) === '@' && ['NS', 'SOA'].includes(raw.type)

function toSet(raw: RawRRset, zone: Zone): ListedSet | null {
  const name = ownerOf(raw.name, zone)
  if (name === null) return null
  const { type, ttl, rrdatas = [], routingPolicy: policy } = raw
  // `kind` only names the type of each object.
  const shown = JSON.stringify(policy, (key, value: unknown) => (key === 'kind' ? undefined : value))
  const instead = policy && { instead: `routing policy ${shown}` }
  return { name, type, ttl, values: policy ? [] : plainValues(rrdatas), ...instead }
}

/** The set without fields that Google adds itself. */
const writableOf = ({ name, type, ttl, rrdatas = [], routingPolicy }: RawRRset): RawRRset => ({
  name,
  type,
  ttl,
  ...(rrdatas.length > 0 && { rrdatas }),
  ...(routingPolicy && { routingPolicy }),
})
