import { Type, type Static } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { memberKey } from '../../../../dns/names/rrset.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { isCode, type Answer, type ApiClient, type Failure } from '../../client/client.ts'
import { isObject, textOf } from '../../client/json.ts'
import { halfDone, ProviderError, type Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { isRefusal } from '../../shared/records/edited-records.ts'
import { ownerOf } from '../../shared/spelling/owner-names.ts'
import { joinData, PRIORITY, splitData } from '../../shared/spelling/split-data.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const RawZone = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.Optional(Type.String()),
})

const RawRecord = Type.Object({
  id: Type.String(),
  /** Absolute, without the final dot. */
  name: Type.String(),
  type: Type.String(),
  /** Without the priority; names are without the final dot, texts in quotes. */
  content: Type.String(),
  ttl: Type.Integer(),
  prio: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  disabled: Type.Optional(Type.Boolean()),
})

type RawRecord = Static<typeof RawRecord>
type Write = RecordWrite<RawRecord>

const Zones = Type.Array(RawZone)
const WholeZone = Type.Object({ records: Type.Array(RawRecord) })
const NewRecords = Type.Array(RawRecord)
const Changed = Type.Object({ id: Type.String() })

const [EXISTS, NO_RECORD] = ['RECORD_ALREADY_EXISTS', 'RECORD_NOT_FOUND']

/** IONOS: its DNS API for developers (https://developer.hosting.ionos.com/docs/dns). */
export const open = byId({
  api: (account: Account<Credentials>) => {
    const { apiKey } = account.credentials
    // The prefix before the dot only names the key.
    const secrets = [apiKey, apiKey.slice(apiKey.indexOf('.') + 1)]
    return clientOf(account, { secrets, authenticate: () => ({ 'x-api-key': apiKey }), explain })
  },

  async listZones(api) {
    const { body } = await api.read('/zones', { schema: Zones, large: true })
    return body.map(toZone)
  },

  async listRecords(api, zone, only) {
    const query = only && { recordName: absoluteName(only.name, zone.name), recordType: only.type }
    const { body } = await api.read(zonePath(zone), {
      ...(query && { query }),
      schema: WholeZone,
      large: true,
    })
    return body.records
  },

  toRecord: ({ id, name, type, ttl, content, disabled = false }, zone) => ({
    id,
    name: ownerOf(name, zone),
    type,
    ttl,
    data: content,
    member: disabled ? { disabled } : {},
  }),

  readValue,

  async createRecord(api, zone, write) {
    const [id] = await create(api, zone, [write])
    return id ?? ''
  },

  async updateRecord(api, zone, write) {
    const { raw, member, type, value, ttl } = write
    const content = write.keepsValue
      ? { content: raw.content, prio: raw.prio ?? 0 }
      : writeContent(type, value)
    const json = { ...content, ttl, disabled: member.disabled === true }
    const { body } = await api.write(recordPath(zone, write), { method: 'PUT', json, schema: Changed })
    return body.id
  },

  deleteRecord: (api, zone, write) => api.write(recordPath(zone, write), { method: 'DELETE', as: 'empty' }),

  isThere: (error) => isCode(error, EXISTS),
  isGone: (error) => isCode(error, NO_RECORD),

  bulk: { canCreate: () => true, createRecords },
})

/** Creates them in one call. IONOS does not say which of them it refuses: then each is sent alone. */
async function createRecords(
  api: ApiClient,
  zone: Zone,
  writes: readonly Write[],
  createOne: (write: Write) => Promise<string | null>,
): Promise<(string | ProviderError)[]> {
  try {
    const ids = await create(api, zone, writes)
    return ids.map((id) => id ?? api.malformed('unknown'))
  } catch (error) {
    if (!(error instanceof ProviderError) || !isRefusal(error)) throw error
  }
  const results: (string | ProviderError)[] = []
  for (const write of writes) {
    try {
      results.push((await createOne(write)) ?? api.malformed('unknown'))
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if (!isRefusal(error)) throw results.length > 0 ? halfDone(error) : error
      results.push(error)
    }
  }
  return results
}

/** Returns the id of each, whatever the order of the response. */
async function create(api: ApiClient, zone: Zone, writes: readonly Write[]): Promise<(string | undefined)[]> {
  const json = writes.map(({ name, type, ttl, value, member }) => ({
    name: absoluteName(name, zone.name),
    type,
    ...writeContent(type, value),
    ttl,
    disabled: member.disabled === true,
  }))
  const { body } = await api.write(`${zonePath(zone)}/records`, { json, schema: NewRecords })
  const ids = new Map(
    body.map((raw) => {
      const name = ownerOf(raw.name, zone) ?? ''
      const value = readValue(raw.type as RecordType, raw, zone) ?? ''
      return [memberKey({ name, type: raw.type, value }), raw.id]
    }),
  )
  return writes.map((write) => ids.get(memberKey(write)))
}

const zonePath = ({ id }: Zone): string => `/zones/${encodeURIComponent(id)}`

const recordPath = (zone: Zone, { id }: { id: string }): string =>
  `${zonePath(zone)}/records/${encodeURIComponent(id)}`

const toZone = ({ id, name, type }: Static<typeof RawZone>): Zone => ({
  id,
  name: name.toLowerCase(),
  ...(type !== undefined && { kind: type === 'SLAVE' ? 'secondary' : 'primary' }),
})

/** A canonical value in the fields of IONOS; a TXT as in zone files. */
function writeContent(type: RecordType, value: string): { content: string; prio?: number } {
  if (type === 'TXT') return { content: typeOf('TXT').write(value) }
  const { data, priority } = splitData(type, value, PRIORITY)
  return { content: data, ...(priority !== undefined && { prio: priority }) }
}

/** The canonical value; null: the data is not of that type. */
function readValue(type: RecordType, { content, prio }: RawRecord, zone: Zone): string | null {
  // Quoted text is in zone file form, other text is plain.
  if (type === 'TXT' && /^".*"$/s.test(content)) return typeOf('TXT').read(content)
  return joinData(type, { data: content, priority: prio }, PRIORITY, zone.name)
}

/** The first error in the response of IONOS tells what a failure means. */
function explain({ status, body }: Answer): Failure | undefined {
  const first: unknown = status >= 300 && Array.isArray(body) ? body[0] : undefined
  if (!isObject(first)) return undefined
  const code = textOf(first['code'])
  const reason = [textOf(first['message']) || code, ...fieldsOf(first['parameters'])].join(' ')
  if (code === EXISTS || code === NO_RECORD) return { kind: 'conflict', code, reason }
  if (status === 404) return { code, message: 'IONOS does not have this zone in the account of this key' }
  return { code, reason }
}

/** The invalid fields. The parameters also contain the record itself, which is not shown. */
function fieldsOf(parameters: unknown): string[] {
  const fields = isObject(parameters) ? parameters['invalidFields'] : undefined
  return Array.isArray(fields) && fields.length > 0 ? [`(${fields.map(textOf).join(', ')})`] : []
}
