import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readOwner, writeName } from '../../../../dns/wire/wire-name.ts'
import type { ApiClient, Answer, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { byNumber } from '../../client/paging.ts'
import type { Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { joinCaa, joinData, NUMBERS, splitCaa, splitData } from '../../shared/spelling/split-data.ts'
import { bearer, clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const PAGE_SIZE = 200

/** All domains have these. */
const NAME_SERVERS = ['ns1.digitalocean.com', 'ns2.digitalocean.com', 'ns3.digitalocean.com']

const Page = <P extends TProperties>(list: P) =>
  Type.Object({ ...list, meta: Type.Object({ total: Type.Integer() }) })

const RawDomain = Type.Object({ name: Type.String() })

const OptionalInteger = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))

const RawRecord = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  /** Relative to the domain; `@` for the apex. */
  name: Type.String(),
  data: Type.Union([Type.String(), Type.Null()]),
  priority: OptionalInteger,
  port: OptionalInteger,
  weight: OptionalInteger,
  flags: OptionalInteger,
  tag: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  ttl: Type.Integer(),
})

type RawRecord = Static<typeof RawRecord>

const Domain = Type.Object({ domain: RawDomain })
const Domains = Page({ domains: Type.Array(RawDomain) })
const Records = Page({ domain_records: Type.Array(RawRecord) })
const Written = Type.Object({ domain_record: Type.Object({ id: Type.Integer() }) })

/** DigitalOcean: its API version 2 (https://docs.digitalocean.com/reference/api/). */
export const open = byId({
  api: (account: Account<Credentials>) =>
    clientOf(account, { ...bearer(account.credentials.apiToken), explain }),

  listZones: (api) =>
    byNumber(
      async (page) => {
        const query = { page, per_page: PAGE_SIZE }
        const { body } = await api.read('/domains', { query, schema: Domains })
        return { items: body.domains.map(toZone), total: body.meta.total }
      },
      { size: PAGE_SIZE },
    ),

  async findZones(api, name) {
    const { body } = await api.read(domainPath(name), { schema: Domain })
    return [toZone(body.domain)]
  },

  async createZone(api, { name }) {
    const { body } = await api.write('/domains', { json: { name }, schema: Domain })
    return toZone(body.domain)
  },

  deleteZone: (api, zone) => remove(api, domainPath(zone.id)),

  listRecords: (api, zone, only) =>
    byNumber(
      async (page) => {
        const filter = only && { type: only.type, name: absoluteName(only.name, zone.name) }
        const query = { page, per_page: PAGE_SIZE, ...filter }
        const { body } = await api.read(recordsPath(zone), { query, schema: Records })
        return { items: body.domain_records, total: body.meta.total }
      },
      { size: PAGE_SIZE },
    ),

  toRecord: (raw, zone) => ({ ...raw, name: readOwner(raw.name, zone.name), data: raw.data ?? '' }),

  readValue(type, { data, flags, tag, ...numbers }, { name }) {
    if (type === 'CAA') return joinCaa({ flags: flags ?? NaN, tag: tag ?? '', text: data ?? '' })
    return joinData(type, { ...numbers, data: data ?? '' }, NUMBERS, name)
  },

  createRecord: (api, zone, write) => send(api, 'POST', recordsPath(zone), write),

  updateRecord: (api, zone, write) => send(api, 'PUT', recordPath(zone, write), write),

  deleteRecord: (api, zone, write) => remove(api, recordPath(zone, write)),
})

async function send(
  api: ApiClient,
  method: string,
  path: string,
  { name, type, ttl, value }: RecordWrite<RawRecord>,
): Promise<number> {
  const json = { type, name, ttl, ...writeData(type, value) }
  const { body } = await api.write(path, { method, json, schema: Written })
  return body.domain_record.id
}

const remove = (api: ApiClient, path: string) => api.write(path, { method: 'DELETE', as: 'none' })

/** The id of a zone is its name. */
const domainPath = (name: string): string => `/domains/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${domainPath(id)}/records`

const recordPath = (zone: Zone, { id }: { id: string }): string => `${recordsPath(zone)}/${id}`

const toZone = ({ name }: Static<typeof RawDomain>): Zone => ({
  id: name,
  name: name.toLowerCase(),
  nameServers: NAME_SERVERS,
})

/** A canonical value as DigitalOcean has it: names absolute, a TXT as its plain text. */
function writeData(type: RecordType, value: string) {
  if (type === 'CAA') {
    const { flags, tag, text } = splitCaa(value)
    // Must end in a dot, like a name, but is returned without one.
    return { flags, tag, data: `${text}.` }
  }
  const split = splitData(type, value, NUMBERS)
  const isName = ['CNAME', 'NS', 'MX', 'SRV'].includes(type)
  return isName ? { ...split, data: writeName(split.data) } : split
}

/** DigitalOcean gives the reason of a failure in `message`; its status tells the kind. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || typeof body['message'] !== 'string') return undefined
  return { reason: body['message'], ...(typeof body['id'] === 'string' && { code: body['id'] }) }
}
