import { Type, type Static } from '@sinclair/typebox'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { Answer, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { byCursor, linkOf } from '../../client/paging.ts'
import type { Zone } from '../../contract.ts'
import { byRRset } from '../../shared/rrsets/by-rrset.ts'
import type { Account } from '../../shared/define-provider.ts'
import { absolute } from '../../shared/rrsets/edited-set.ts'
import { plainValues } from '../../shared/rrsets/listed-sets.ts'
import { emptyAtApex } from '../../shared/spelling/owner-names.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { dsOf } from '../../shared/zone-data.ts'
import type { Credentials } from './index.ts'

/** All domains have these. */
const NAME_SERVERS = ['ns1.desec.io', 'ns2.desec.org']

const RawDomain = Type.Object({ name: Type.String() })
const Domains = Type.Array(RawDomain)

/** With the keys that sign the zone, and the DS records for the parent zone. */
const SignedDomain = Type.Object({
  keys: Type.Array(Type.Object({ ds: Type.Optional(Type.Array(Type.String())) })),
})

const RRsets = Type.Array(
  Type.Object({
    /** Relative to the domain; empty for the apex. */
    subname: Type.String(),
    type: Type.String(),
    ttl: Type.Integer(),
    /** Presentation data, in no order. */
    records: Type.Array(Type.String()),
  }),
)

/** deSEC (https://desec.readthedocs.io/). One call replaces any number of RRsets in one transaction. */
export const open = byRRset({
  api: (account: Account<Credentials>) => {
    const { apiToken } = account.credentials
    const authenticate = () => ({ authorization: `Token ${apiToken}` })
    return clientOf(account, { secrets: [apiToken], authenticate, explain })
  },

  listZones: (api) =>
    byCursor(async (cursor = '') => {
      const { body, headers } = await api.read('/domains/', { query: { cursor }, schema: Domains })
      return { items: body.map(toZone), next: nextOf(headers) }
    }),

  async findZones(api, name) {
    const { body } = await api.read(domainPath(name), { schema: RawDomain })
    return [toZone(body)]
  },

  async createZone(api, { name }) {
    const { body } = await api.write('/domains/', { json: { name }, schema: RawDomain })
    return toZone(body)
  },

  deleteZone: (api, zone) => api.write(domainPath(zone.id), { method: 'DELETE', as: 'none' }),

  listSets: (api, zone, only) =>
    byCursor(async (cursor = '') => {
      const query = only ? { subname: emptyAtApex(only.name), type: only.type } : { cursor }
      const { body, headers } = await api.read(rrsetsPath(zone), { query, schema: RRsets, large: true })
      return { items: body, next: nextOf(headers) }
    }),

  toSet({ subname, type, ttl, records }, zone) {
    const name = readOwner(subname, zone.name)
    return name === null ? null : { name, type, ttl, values: plainValues(records) }
  },

  spell: () => absolute,

  pageSize: 500,

  async writeSets(api, zone, writes) {
    const json = writes.map(({ name, type, ttl, rdata }) => ({
      subname: emptyAtApex(name),
      type,
      ttl,
      records: rdata,
    }))
    await api.write(rrsetsPath(zone), { method: 'PATCH', json, zone: zone.name })
  },

  others: (api) => ({
    // deSEC signs every zone.
    async readDnssec(zone) {
      const { body } = await api.read(domainPath(zone.id), { schema: SignedDomain })
      return { signed: true, ds: dsOf(body.keys.flatMap(({ ds = [] }) => ds)) }
    },
  }),
})

/** The id of a zone is its name. */
const domainPath = (name: string): string => `/domains/${encodeURIComponent(name)}/`

const rrsetsPath = ({ id }: Zone): string => `${domainPath(id)}rrsets/`

/** The cursor of the next page. The address of the link is another than ours behind a proxy. */
function nextOf(headers: Record<string, string>): string | null {
  const next = linkOf(headers['link'], 'next')
  return next === null ? null : (URL.parse(next)?.searchParams.get('cursor') ?? null)
}

const toZone = ({ name }: Static<typeof RawDomain>): Zone => ({
  id: name,
  name: name.toLowerCase(),
  nameServers: NAME_SERVERS,
})

/** What deSEC means where its status alone does not tell. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300) return undefined
  const reason = [...new Set(typeof body === 'string' ? [] : textsIn(body))].join(' ')
  if (reason === '') return {}
  if (status === 403 && /\blimit\b/i.test(reason)) return { kind: 'quota', reason }
  if (status === 404) return { message: 'deSEC does not have this domain in this account' }
  return { reason }
}

/** All texts of the answer, at any depth: for several RRsets it has a list of faults for each. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isObject(value) ? Object.values(value).flatMap(textsIn) : []
}
