import { Type, type Static } from '@sinclair/typebox'
import { bytesOfText, textOfBytes } from '../../../../dns/text/text.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { Answer, Failure } from '../../client/client.ts'
import { isObject, textOf } from '../../client/json.ts'
import { byCursor } from '../../client/paging.ts'
import type { Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { emptyAtApex } from '../../shared/spelling/owner-names.ts'
import { joinData, PRIORITY, splitData } from '../../shared/spelling/split-data.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const PAGE_SIZE = 1000
const DEFAULT_TTL = 300

/* Answers omit every field that has the default value of its type: an empty list or text, a 0. */

const NextPage = { nextPage: Type.Optional(Type.Integer()) }

const RawDomain = Type.Object({ domainName: Type.String() })

const RawRecord = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  /** Relative to the domain; missing or `@` for the apex. */
  host: Type.Optional(Type.String()),
  /** Of SRV `weight port target`; a TXT is plain text, or strings in quotes. */
  answer: Type.Optional(Type.String()),
  /** Of MX and SRV. */
  priority: Type.Optional(Type.Integer()),
  ttl: Type.Optional(Type.Integer()),
})

type RawRecord = Static<typeof RawRecord>

const Domains = Type.Object({ domains: Type.Optional(Type.Array(RawDomain)), ...NextPage })
const Records = Type.Object({ records: Type.Optional(Type.Array(RawRecord)), ...NextPage })

/** Name.com: its API version 4 (https://www.name.com/api-docs). */
export const open = byId({
  api(account: Account<Credentials>) {
    const { username, apiToken } = account.credentials
    const authorization = `Basic ${Buffer.from(`${username}:${apiToken}`).toString('base64')}`
    return clientOf(account, { secrets: [apiToken], authenticate: () => ({ authorization }), explain })
  },

  listZones: (api) =>
    byCursor(async (page = '1') => {
      const { body } = await api.read('/domains', { query: { perPage: PAGE_SIZE, page }, schema: Domains })
      return { items: (body.domains ?? []).map(toZone), next: body.nextPage?.toString() }
    }),

  async findZones(api, name) {
    const { body } = await api.read(domainPath(name), { schema: RawDomain })
    return [toZone(body)]
  },

  listRecords: (api, zone) =>
    byCursor(async (page = '1') => {
      const call = { query: { perPage: PAGE_SIZE, page }, schema: Records, large: true }
      const { body } = await api.read(recordsPath(zone), call)
      return { items: body.records ?? [], next: body.nextPage?.toString() }
    }),

  // Records can't be filtered.
  singleReads: 1,

  toRecord: ({ id, type, host = '', ttl = DEFAULT_TTL, answer = '' }, zone) => ({
    id,
    name: readOwner(host, zone.name),
    type,
    ttl,
    data: answer,
  }),

  // Texts are sent bare: users report that quotes are shown (DNSControl, issue 3259). Other clients send strings in quotes,
  // as Name.com's own contribution to DNSControl does (pull request 299); both are read.
  readValue: (type, { answer = '', priority = 0 }, { name }) =>
    type === 'TXT'
      ? textOfBytes(bytesOfText(answer))
      : joinData(type, { data: answer, priority }, PRIORITY, name),

  async createRecord(api, zone, write) {
    const { body } = await api.write(recordsPath(zone), { json: writeRecord(write), schema: RawRecord })
    return body.id
  },

  async updateRecord(api, zone, write) {
    const call = { method: 'PUT', json: writeRecord(write), schema: RawRecord }
    await api.write(recordPath(zone, write.id), call)
  },

  deleteRecord: (api, zone, { id }) => api.write(recordPath(zone, id), { method: 'DELETE' }),
})

/** The id of a zone is its name. */
const domainPath = (name: string): string => `/domains/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${domainPath(id)}/records`

const recordPath = (zone: Zone, id: string): string => `${recordsPath(zone)}/${encodeURIComponent(id)}`

const toZone = ({ domainName }: Static<typeof RawDomain>): Zone => ({
  id: domainName,
  name: domainName.toLowerCase(),
})

/** A whole record: what an update leaves out gets its default. */
function writeRecord({ name, type, ttl, value }: RecordWrite<RawRecord>) {
  const { data, ...priority } = splitData(type, value, PRIORITY)
  return { host: emptyAtApex(name), type, answer: data, ttl, ...priority }
}

/** Name.com's status tells the kind of a failure; `details`, where it has some, tells more than `message`. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const reason = textOf(body['details']) || textOf(body['message'])
  return reason === '' ? undefined : { reason }
}
