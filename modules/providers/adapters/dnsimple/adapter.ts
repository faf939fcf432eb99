import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { readOwner } from '../../../../dns/wire/wire-name.ts'
import { isCode, type ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { byNumber } from '../../client/paging.ts'
import { ProviderError, type Zone } from '../../contract.ts'
import { byId } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { emptyAtApex } from '../../shared/spelling/owner-names.ts'
import { joinData, PRIORITY, splitData } from '../../shared/spelling/split-data.ts'
import { bearer, clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const PAGE_SIZE = 100

/** Our code for a refusal, which has none: the same record is there already. */
const EXISTS = 'exists'

const Data = <T extends TSchema>(data: T) => Type.Object({ data })

const Page = <T extends TSchema>(item: T) =>
  Type.Object({ data: Type.Array(item), pagination: Type.Object({ total_entries: Type.Integer() }) })

const Id = Type.Object({ id: Type.Integer() })

/** The account of an account token; null for the token of a user. */
const Identity = Data(Type.Object({ account: Type.Union([Id, Type.Null()]) }))

const RawZone = Type.Object({
  name: Type.String(),
  /** Its records come from another server. */
  secondary: Type.Optional(Type.Boolean()),
})

const RawRecord = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  /** Relative to the zone; empty for the apex. */
  name: Type.String(),
  /** Names without the final dot; of SRV `weight port target`; a TXT in quotes, or, in older zones, without. */
  content: Type.String(),
  ttl: Type.Integer(),
  priority: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
})

const Zones = Page(RawZone)
const Records = Page(RawRecord)

/** DNSimple: its API version 2 (https://developer.dnsimple.com/v2/). */
export const open = byId({
  api: (account: Account<Credentials>) =>
    clientOf(account, { ...bearer(account.credentials.apiToken), explain }),

  // A token that is limited to some zones may not list them.
  verify: (api) => readAccount(api),

  listZones: (api) =>
    byNumber(
      async (page) => {
        const query = { page, per_page: PAGE_SIZE }
        const { body } = await api.read(await pathOf(api, '/zones'), { query, schema: Zones })
        return { items: body.data.map(toZone), total: body.pagination.total_entries }
      },
      { size: PAGE_SIZE },
    ),

  async findZones(api, name) {
    const { body } = await api.read(await zonePath(api, name), { schema: Data(RawZone) })
    return [toZone(body.data)]
  },

  async createZone(api, { name }) {
    await api.write(await pathOf(api, '/domains'), { json: { name }, schema: Data(Id) })
    return toZone({ name })
  },

  listRecords: (api, zone, only) =>
    byNumber(
      async (page) => {
        const filter = only && { type: only.type, name: emptyAtApex(only.name) }
        const query = { page, per_page: PAGE_SIZE, ...filter }
        const { body } = await api.read(await recordsPath(api, zone), { query, schema: Records, large: true })
        return { items: body.data, total: body.pagination.total_entries }
      },
      { size: PAGE_SIZE },
    ),

  toRecord: (raw, zone) => ({ ...raw, name: readOwner(raw.name, zone.name), data: raw.content }),

  readValue(type, { content, priority }, { name }) {
    if (type === 'TXT' && content.startsWith('"')) return typeOf('TXT').read(content)
    return joinData(type, { data: content, priority }, PRIORITY, name)
  },

  async createRecord(api, zone, { name, type, ttl, value }) {
    const json = { type, name: emptyAtApex(name), ttl, ...writeContent(type, value) }
    const { body } = await api.write(await recordsPath(api, zone), { json, schema: Data(Id) })
    return body.data.id
  },

  isThere: (error) => isCode(error, EXISTS),

  // The regions of a record stay as they are.
  async updateRecord(api, zone, { id, ttl, type, value }) {
    const json = { ttl, ...writeContent(type, value) }
    await api.write(await recordPath(api, zone, id), { method: 'PATCH', json, schema: Data(Id) })
  },

  async deleteRecord(api, zone, { id }) {
    await api.write(await recordPath(api, zone, id), { method: 'DELETE', as: 'empty' })
  },
})

const newAccount = (): { id?: number } => ({})

/** The account of the token, asked once. */
async function accountOf(api: ApiClient): Promise<number> {
  const known = api.context.state(newAccount)
  known.id ??= await readAccount(api)
  return known.id
}

async function readAccount(api: ApiClient): Promise<number> {
  const { account } = (await api.read('/whoami', { schema: Identity })).body.data
  if (account !== null) return account.id
  throw new ProviderError('forbidden', 'DNSimple: this is the token of a user. Use the token of an account')
}

const pathOf = async (api: ApiClient, path: string): Promise<string> => `/${await accountOf(api)}${path}`

/** The id of a zone is its name. */
const zonePath = (api: ApiClient, name: string) => pathOf(api, `/zones/${encodeURIComponent(name)}`)

const recordsPath = async (api: ApiClient, { id }: Zone) => `${await zonePath(api, id)}/records`

const recordPath = async (api: ApiClient, zone: Zone, id: string) =>
  `${await recordsPath(api, zone)}/${encodeURIComponent(id)}`

const toZone = ({ name, secondary }: Static<typeof RawZone>): Zone => ({
  id: name,
  name: name.toLowerCase(),
  ...(secondary !== undefined && { kind: secondary ? 'secondary' : 'primary' }),
})

/** A canonical value as DNSimple has it. A text in quotes is kept as it is, with its strings. */
function writeContent(type: RecordType, value: string): { content: string; priority?: number } {
  if (type === 'TXT') return { content: typeOf('TXT').write(value) }
  const { data, priority } = splitData(type, value, PRIORITY)
  return { content: data, ...(priority !== undefined && { priority }) }
}

/** DNSimple gives the reason in `message`, and in `errors` what is wrong with each field; its status tells the kind. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || typeof body['message'] !== 'string') return undefined
  const fields = isObject(body['errors']) ? Object.entries(body['errors']) : []
  const details = fields.map(([field, texts]) => `${field} ${[texts].flat().join(', ')}`)
  const reason = [body['message'], ...details].join(': ')
  // Others of the name, such as a CNAME, are refused as "another record".
  const exists = /(zone|matching) record already exists/i.test(reason)
  return { reason, ...(exists && { code: EXISTS }) }
}
