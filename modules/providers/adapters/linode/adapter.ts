import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { toMailAddress } from '../../../../dns/names/mailbox.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { Answer, ApiClient, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { byNumber } from '../../client/paging.ts'
import { afterOther, type Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { emptyAtApex, splitService } from '../../shared/spelling/owner-names.ts'
import { joinCaa, joinData, NUMBERS, splitCaa, splitData } from '../../shared/spelling/split-data.ts'
import { bearer, clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const PAGE_SIZE = 500
const DEFAULT_TTL = 0

/** All domains have these. */
const NAME_SERVERS = [1, 2, 3, 4, 5].map((number) => `ns${number}.linode.com`)

const Page = <S extends TSchema>(item: S) =>
  Type.Object({ data: Type.Array(item), pages: Type.Integer(), results: Type.Integer() })

const RawDomain = Type.Object({
  id: Type.Integer(),
  domain: Type.String(),
  /** `master` or `slave`. */
  type: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
})

const OptionalInteger = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))

const RawRecord = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  /** Relative to the domain; empty for the apex. */
  name: Type.String(),
  target: Type.String(),
  priority: OptionalInteger,
  weight: OptionalInteger,
  port: OptionalInteger,
  tag: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** 0: the default of the domain. */
  ttl_sec: Type.Integer(),
})

type RawRecord = Static<typeof RawRecord>

const Domains = Page(RawDomain)
const Records = Page(RawRecord)

/** Linode: its API version 4 (https://techdocs.akamai.com/linode-api/reference/). */
export const open = byId({
  api: (account: Account<Credentials>) =>
    clientOf(account, { ...bearer(account.credentials.apiToken), explain }),

  listZones: (api, name) =>
    byNumber(
      async (page) => {
        const call = { query: { page, page_size: PAGE_SIZE }, headers: filterBy(name && { domain: name }) }
        const { body } = await api.read('/domains', { ...call, schema: Domains })
        return { items: body.data.map(toZone), pages: body.pages, total: body.results }
      },
      { size: PAGE_SIZE },
    ),

  async createZone(api, { name, soa }) {
    const json = { domain: name, type: 'master', soa_email: toMailAddress(soa.mailbox) }
    return toZone((await api.write('/domains', { json, schema: RawDomain })).body)
  },

  deleteZone: (api, zone) => api.write(domainPath(zone), { method: 'DELETE' }),

  listRecords: (api, zone, only) =>
    byNumber(
      async (page) => {
        const headers = filterBy(only && { type: only.type, name: emptyAtApex(only.name) })
        const call = { query: { page, page_size: PAGE_SIZE }, headers, large: true }
        const { body } = await api.read(recordsPath(zone), { ...call, schema: Records })
        return { items: body.data, pages: body.pages, total: body.results }
      },
      { size: PAGE_SIZE },
    ),

  toRecord: ({ id, name, type, ttl_sec: ttl, target }, zone) => ({
    id,
    name: readOwner(name, zone.name),
    type,
    ttl: ttl === DEFAULT_TTL ? null : ttl,
    data: target,
  }),

  readValue(type, { target, tag, ...numbers }, { name }) {
    // A CAA has no flags.
    if (type === 'CAA') return joinCaa({ flags: 0, tag: tag ?? '', text: target })
    const data = type === 'MX' && target === '' ? '.' : target
    return joinData(type, { ...numbers, data }, NUMBERS, name)
  },

  async createRecord(api, zone, write) {
    const json = writeRecord(write)
    const call = { json: { type: write.type, ...json }, schema: RawRecord }
    const { body } = await api.write(recordsPath(zone), call)
    // New records may get the default TTL, whatever was sent.
    if (body.ttl_sec !== json.ttl_sec) await afterOther(put(api, zone, String(body.id), json))
    return body.id
  },

  updateRecord: (api, zone, write) => put(api, zone, write.id, writeRecord(write)),

  deleteRecord: (api, zone, { id }) => api.write(`${recordsPath(zone)}/${id}`, { method: 'DELETE' }),
})

async function put(api: ApiClient, zone: Zone, id: string, json: object): Promise<void> {
  await api.write(`${recordsPath(zone)}/${id}`, { method: 'PUT', json, schema: RawRecord })
}

/** Lists only items with these values. */
const filterBy = (only: object | '' | undefined): Record<string, string> =>
  only ? { 'x-filter': JSON.stringify(only) } : {}

const domainPath = ({ id }: Zone): string => `/domains/${encodeURIComponent(id)}`

const recordsPath = (zone: Zone): string => `${domainPath(zone)}/records`

const toZone = ({ id, domain, type, status }: Static<typeof RawDomain>): Zone => ({
  id: String(id),
  name: domain.toLowerCase(),
  nameServers: NAME_SERVERS,
  ...(status === 'disabled' && { status: 'paused' }),
  ...(type !== undefined && { kind: type === 'slave' ? 'secondary' : 'primary' }),
})

const writeRecord = ({ name, type, ttl, value }: RecordWrite<RawRecord>) => ({
  ...ownerFields(name, type),
  ...dataFields(type, value),
  ttl_sec: ttl ?? DEFAULT_TTL,
})

/** An SRV has a service and a protocol, without underscores, instead of a name. */
function ownerFields(name: string, type: RecordType) {
  const parts = type === 'SRV' ? splitService(name) : null
  if (parts === null) return { name: emptyAtApex(name) }
  return { service: parts.service.slice(1), protocol: parts.protocol.slice(1) }
}

function dataFields(type: RecordType, value: string) {
  if (type === 'CAA') {
    const { tag, text } = splitCaa(value)
    return { tag, target: text }
  }
  const { data, ...numbers } = splitData(type, value, NUMBERS)
  // A null MX has an empty target.
  return { ...numbers, target: type === 'MX' && data === '.' ? '' : data }
}

/** Linode's status tells the kind of a failure; it gives reasons, by field, in `errors`. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || !Array.isArray(body['errors'])) return undefined
  if (status === 404) return { message: 'Linode does not have this domain in this account' }
  return { reason: body['errors'].filter(isObject).map(reasonOf).join('; ') }
}

const reasonOf = ({ field, reason }: Record<string, unknown>): string =>
  [field, reason].filter((text) => typeof text === 'string').join(': ')
