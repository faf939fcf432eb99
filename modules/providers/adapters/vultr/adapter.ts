import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { ApiClient, Answer, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { byCursor } from '../../client/paging.ts'
import type { Zone } from '../../contract.ts'
import { byId } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { emptyAtApex } from '../../shared/spelling/owner-names.ts'
import { joinData, PRIORITY, splitData, type SplitData } from '../../shared/spelling/split-data.ts'
import { bearer, clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const PAGE_SIZE = 500

/** All domains have these. */
const NAME_SERVERS = ['ns1.vultr.com', 'ns2.vultr.com']

const Page = <P extends TProperties>(list: P) =>
  Type.Object({
    ...list,
    // Empty on the last page.
    meta: Type.Object({ links: Type.Object({ next: Type.Union([Type.String(), Type.Null()]) }) }),
  })

const RawDomain = Type.Object({ domain: Type.String() })

const RawRecord = Type.Object({
  id: Type.String(),
  type: Type.String(),
  /** Relative to the domain; empty for the apex. */
  name: Type.String(),
  /** Of SRV `weight port target`. */
  data: Type.String(),
  /** -1: none. */
  priority: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  ttl: Type.Integer(),
})

type RawRecord = Static<typeof RawRecord>

const Domain = Type.Object({ domain: RawDomain })
const Domains = Page({ domains: Type.Array(RawDomain) })
const Records = Page({ records: Type.Array(RawRecord) })
const NewRecord = Type.Object({ record: Type.Object({ id: Type.String() }) })

/** Vultr: its API version 2 (https://www.vultr.com/api/#tag/dns). */
export const open = byId({
  api: (account: Account<Credentials>) =>
    clientOf(account, { ...bearer(account.credentials.apiKey), explain }),

  listZones: (api) =>
    byCursor(async (cursor) => {
      const { body } = await api.read('/domains', { query: { per_page: PAGE_SIZE, cursor }, schema: Domains })
      return { items: body.domains.map(toZone), next: body.meta.links.next }
    }),

  async findZones(api, name) {
    const { body } = await api.read(domainPath(name), { schema: Domain })
    return [toZone(body.domain)]
  },

  async createZone(api, { name }) {
    const { body } = await api.write('/domains', { json: { domain: name }, schema: Domain })
    return toZone(body.domain)
  },

  deleteZone: (api, zone) => remove(api, domainPath(zone.id)),

  listRecords: (api, zone) =>
    byCursor(async (cursor) => {
      const query = { per_page: PAGE_SIZE, cursor }
      const { body } = await api.read(recordsPath(zone), { query, schema: Records, large: true })
      return { items: body.records, next: body.meta.links.next }
    }),

  // Records can't be filtered by name.
  singleReads: 1,

  toRecord: (raw, zone) => ({ ...raw, name: readOwner(raw.name, zone.name) }),

  readValue(type, raw, { name }) {
    const [, text = raw.data] = /^"(.*)"$/s.exec(raw.data) ?? []
    return joinData(type, type === 'TXT' ? { data: text } : raw, PRIORITY, name)
  },

  async createRecord(api, zone, { name, type, ttl, value }) {
    const json = { type, name: emptyAtApex(name), ttl, ...writeData(type, value) }
    const { body } = await api.write(recordsPath(zone), { json, schema: NewRecord })
    return body.record.id
  },

  async updateRecord(api, zone, { id, name, type, ttl, value }) {
    const json = { name: emptyAtApex(name), ttl, ...writeData(type, value) }
    await api.write(recordPath(zone, id), { method: 'PATCH', json, as: 'empty' })
  },

  deleteRecord: (api, zone, { id }) => remove(api, recordPath(zone, id)),
})

const remove = (api: ApiClient, path: string) => api.write(path, { method: 'DELETE', as: 'empty' })

/** The id of a zone is its name. */
const domainPath = (name: string): string => `/domains/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${domainPath(id)}/records`

const recordPath = (zone: Zone, id: string): string => `${recordsPath(zone)}/${encodeURIComponent(id)}`

const toZone = ({ domain }: Static<typeof RawDomain>): Zone => ({
  id: domain,
  name: domain.toLowerCase(),
  nameServers: NAME_SERVERS,
})

/** A canonical value as Vultr has it; a TXT is one string, in quotes without escapes. */
function writeData(type: RecordType, value: string): SplitData {
  const split = splitData(type, value, PRIORITY)
  return type === 'TXT' ? { data: `"${split.data}"` } : split
}

/** Vultr gives the reason of a failure in `error`; its status tells the kind. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || typeof body['error'] !== 'string') return undefined
  return { reason: body['error'] }
}
