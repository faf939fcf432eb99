import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import type { Answer, Failure } from '../../client/client.ts'
import { CommandApi } from '../../client/commands.ts'
import { isObject, textOf } from '../../client/json.ts'
import type { ProviderErrorKind, Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { joinData, PRIORITY, splitData } from '../../shared/spelling/split-data.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const ResultOf = <P extends TProperties>(result: P) => Type.Object({ result: Type.Object(result) })

const RawDomain = Type.Object({ name: Type.String(), status: Type.Optional(Type.String()) })

const RawRecord = Type.Object({
  /** Was a number in earlier versions. */
  id: Type.Union([Type.String(), Type.Integer()]),
  /** Relative to the domain; `@` for the apex. */
  name: Type.String(),
  type: Type.String(),
  /** Of SRV `weight port target`. */
  content: Type.String(),
  ttl: Type.Integer(),
  prio: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
})

const Domains = ResultOf({ domains: Type.Array(RawDomain) })
const Records = ResultOf({ records: Type.Array(RawRecord) })
const NewRecord = ResultOf({ id: RawRecord.properties.id })
/** May contain the record, or nothing. */
const Changed = ResultOf({})

/** Njalla: its API version 1 (https://njal.la/api/). Every call is a POST to the same address. */
export const open = byId({
  api(account: Account<Credentials>) {
    const { apiToken } = account.credentials
    const authenticate = () => ({ authorization: `Njalla ${apiToken}` })
    const client = clientOf(account, { secrets: [apiToken], authenticate, explain })
    return new CommandApi(client, (method, params) => ({ json: { method, params } }))
  },

  listZones: async (api) => (await api.read('list-domains', Domains)).result.domains.map(toZone),

  listRecords: async (api, zone) => (await api.read('list-records', Records, domainOf(zone))).result.records,

  // Records can't be filtered.
  singleReads: 1,

  toRecord: (raw, zone) => ({ ...raw, name: readOwner(raw.name, zone.name), data: raw.content }),

  readValue: (type, { content, prio }, zone) =>
    joinData(type, { data: content, priority: prio ?? 0 }, PRIORITY, zone.name),

  async createRecord(api, zone, write) {
    return (await api.write('add-record', NewRecord, { ...domainOf(zone), ...writeRecord(write) })).result.id
  },

  async updateRecord(api, zone, write) {
    const params = { ...domainOf(zone), id: write.id, ...writeRecord(write) }
    await api.write('edit-record', Changed, params)
  },

  deleteRecord: (api, zone, { id }) => api.write('remove-record', Changed, { ...domainOf(zone), id }),
})

const domainOf = ({ id }: Zone) => ({ domain: id })

const toZone = ({ name, status }: Static<typeof RawDomain>): Zone => ({
  id: name,
  name: name.toLowerCase(),
  ...(status === 'active' && { status }),
})

function writeRecord({ name, type, ttl, value }: RecordWrite<Static<typeof RawRecord>>) {
  const { data, priority } = splitData(type, value, PRIORITY)
  return { name, type, content: data, ttl, ...(priority !== undefined && { prio: priority }) }
}

/** Njalla reports failures in `error`, usually with status 200. */
function explain({ status, body }: Answer): Failure | undefined {
  const error = isObject(body) ? (body['error'] ?? body['Error']) : undefined
  if (!isObject(error)) return undefined
  const [code, reason] = [Number(error['code']), textOf(error['message'])]
  const kind = kindOf(code, reason) ?? (status < 300 ? 'rejected' : undefined)
  if (kind === 'not_found') return { kind, message: 'Njalla does not have this in this account' }
  return { reason, ...(kind !== undefined && { kind }) }
}

function kindOf(code: number, reason: string): ProviderErrorKind | undefined {
  if (code === 401 || (code === 403 && /token/i.test(reason))) return 'auth'
  if (code === 403) return 'forbidden'
  if (code === 404 || /not found/i.test(reason)) return 'not_found'
  if (code === 429) return 'rate_limited'
  return code >= 500 && code < 600 ? 'unavailable' : undefined
}
