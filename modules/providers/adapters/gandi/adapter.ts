import { Type, type Static } from '@sinclair/typebox'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { isCode, type Answer, type Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { byNumber } from '../../client/paging.ts'
import { unlessMissing, type Zone } from '../../contract.ts'
import { byRRset } from '../../shared/rrsets/by-rrset.ts'
import type { Account } from '../../shared/define-provider.ts'
import { relativeTo } from '../../shared/rrsets/edited-set.ts'
import { plainValues } from '../../shared/rrsets/listed-sets.ts'
import { bearer, clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const PAGE_SIZE = 100

const RawDomain = Type.Object({ fqdn: Type.String() })

const RawRRset = Type.Object({
  /** Relative to the domain; `@` for the apex. */
  rrset_name: Type.String(),
  rrset_type: Type.String(),
  rrset_ttl: Type.Integer(),
  /** Presentation data, in which names without a final dot are relative to the domain. */
  rrset_values: Type.Array(Type.String()),
})

const Domains = Type.Array(RawDomain)
const RRsets = Type.Array(RawRRset)

/** The set is missing, in a domain that is there. */
const NO_SUCH_SET = 'dns-record'

/** Gandi: its LiveDNS API version 5 (https://api.gandi.net/docs/livedns/). */
export const open = byRRset({
  api: (account: Account<Credentials>) =>
    clientOf(account, { ...bearer(account.credentials.apiToken), explain }),

  listZones: (api) =>
    byNumber(
      async (page) => {
        const answer = await api.read('/domains', { query: { page, per_page: PAGE_SIZE }, schema: Domains })
        return { items: answer.body.map(toZone), total: totalOf(answer) }
      },
      { size: PAGE_SIZE },
    ),

  async findZones(api, name) {
    const { body } = await api.read(domainPath(name), { schema: RawDomain })
    return [toZone(body)]
  },

  async createZone(api, { name, soa }) {
    await api.write('/domains', { json: { fqdn: name, zone: { ttl: soa.ttl } } })
    return toZone({ fqdn: name })
  },

  listSets: (api, zone) =>
    byNumber(
      async (page) => {
        const query = { page, per_page: PAGE_SIZE }
        const answer = await api.read(recordsPath(zone), { query, schema: RRsets, large: true })
        return { items: answer.body, total: totalOf(answer) }
      },
      { size: PAGE_SIZE },
    ),

  async readSet(api, zone, set) {
    try {
      return (await api.read(setPath(zone, set), { schema: RawRRset })).body
    } catch (error) {
      if (isCode(error, NO_SUCH_SET)) return null
      throw error
    }
  },

  toSet(raw, zone) {
    const name = readOwner(raw.rrset_name, zone.name)
    if (name === null) return null
    return { name, type: raw.rrset_type, ttl: raw.rrset_ttl, values: plainValues(raw.rrset_values) }
  },

  spell: (zone) => relativeTo(zone.name),

  async writeSet(api, zone, { name, type, ttl, rdata }) {
    const path = setPath(zone, { name, type })
    if (rdata.length === 0) await unlessMissing(api.write(path, { method: 'DELETE', as: 'none' }))
    // Without a TTL the set would get Gandi's default.
    else await api.write(path, { method: 'PUT', json: { rrset_ttl: ttl, rrset_values: rdata } })
  },
})

const totalOf = ({ headers }: Answer): number | undefined => {
  const total = headers['total-count']
  return total === undefined || !/^\d+$/.test(total) ? undefined : Number(total)
}

/** The id of a zone is its name. */
const domainPath = (name: string): string => `/domains/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${domainPath(id)}/records`

const setPath = (zone: Zone, { name, type }: { name: string; type: string }): string =>
  `${recordsPath(zone)}/${encodeURIComponent(name)}/${type}`

const toZone = ({ fqdn }: Static<typeof RawDomain>): Zone => ({ id: fqdn, name: fqdn.toLowerCase() })

/** Gandi's status tells the kind of a failure; its body gives the object and the reason, in one of two forms. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const { object, message, errors } = body
  if (status === 404 && object !== NO_SUCH_SET)
    return { message: 'Gandi does not have this domain, or does not show it to this token' }
  const code = typeof object === 'string' ? { code: object } : {}
  if (typeof message === 'string') return { ...code, reason: message }
  return Array.isArray(errors) ? { reason: errors.filter(isObject).map(reasonOf).join('; ') } : undefined
}

const reasonOf = ({ name, description }: Record<string, unknown>): string =>
  [name, description].filter((text) => typeof text === 'string' && text !== '').join(': ')
