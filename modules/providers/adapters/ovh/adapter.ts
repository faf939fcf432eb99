import { Type } from '@sinclair/typebox'
import { absoluteData } from '../../../../dns/zone-file/relative-data.ts'
import { readQuoted } from '../../../../dns/text/text.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText } from '../../../../dns/types/txt.ts'
import { readName, readOwner } from '../../../../dns/wire/wire-name.ts'
import { ApiFailure, type ApiClient } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { tooLarge, unlessMissing, type Zone } from '../../contract.ts'
import { byId, type RecordWrite } from '../../shared/records/by-id.ts'
import type { Account } from '../../shared/define-provider.ts'
import { emptyAtApex } from '../../shared/spelling/owner-names.ts'
import { openApi, RawRecord, RawZone } from './client.ts'
import type { Credentials } from './index.ts'

/** Records that one call reads. */
const BATCH = 50
/** Calls at a time. */
const AT_ONCE = 4

/** OVH's own types, which are TXT in the DNS. */
const TXT_TYPES = new Set(['SPF', 'DKIM', 'DMARC'])

/** The TTL of the zone. */
const DEFAULT_TTL = 0

const Names = Type.Array(Type.String())
const Ids = Type.Array(Type.Integer())
const Batch = Type.Array(
  Type.Object({ key: Type.Unknown(), value: Type.Optional(Type.Union([RawRecord, Type.Null()])) }),
)

/** OVHcloud: its API version 1 (https://eu.api.ovh.com/console/). `commit` puts written records into effect. */
export const open = byId({
  api: (account: Account<Credentials>) => openApi(account),

  async listZones(api) {
    const { body } = await api.read('/domain/zone', { schema: Names })
    return body.map((name) => toZone({ name }))
  },

  async findZones(api, name) {
    return [toZone((await api.read(zonePath(name), { schema: RawZone })).body)]
  },

  async *listRecords(api, zone, only) {
    // OVH has several types for TXT.
    const fieldType = only?.type === 'TXT' ? undefined : only?.type
    const query = only && { subDomain: emptyAtApex(only.name), fieldType }
    const { body: ids } = await api.read(recordsPath(zone), { ...(query && { query }), schema: Ids })
    const { maxZoneRecords: max } = api.context
    if (ids.length > max) throw tooLarge(max)
    yield* recordPages(api, zone, ids)
  },

  toRecord(raw, zone) {
    const { id, subDomain, fieldType, target, ttl } = raw
    const isText = TXT_TYPES.has(fieldType)
    return {
      id,
      name: readOwner(subDomain ?? '', zone.name),
      type: isText ? 'TXT' : fieldType,
      ttl: (ttl ?? DEFAULT_TTL) === DEFAULT_TTL ? null : (ttl ?? null),
      data: target,
      member: isText ? { extra: { fieldType } } : {},
    }
  },

  readValue(type, { target }, zone) {
    if (type === 'TXT') return readQuoted(target) === null ? txtFromText(target) : typeOf(type).read(target)
    return typeOf(type).read(absoluteData(type, target, zone.name))
  },

  async createRecord(api, zone, write) {
    const json = { fieldType: fieldTypeOf(write), ...writeRecord(write) }
    return (await api.write(recordsPath(zone), { json, schema: RawRecord })).body.id
  },

  async updateRecord(api, zone, write) {
    const call = { method: 'PUT', json: writeRecord(write), schema: Type.Null() }
    await api.write(`${recordsPath(zone)}/${write.id}`, call)
  },

  deleteRecord: (api, zone, { id }) =>
    api.write(`${recordsPath(zone)}/${id}`, { method: 'DELETE', schema: Type.Null() }),

  others: (api) => ({
    async commit(zone) {
      await api.write(`${zonePath(zone.id)}/refresh`, { schema: Type.Null() })
    },
  }),
})

/** The records with these ids; lists have ids only. */
async function* recordPages(api: ApiClient, zone: Zone, ids: readonly number[]): AsyncGenerator<RawRecord[]> {
  for (let start = 0; start < ids.length; start += BATCH * AT_ONCE) {
    const batches = Array.from({ length: AT_ONCE }, (_, i) => start + i * BATCH)
      .map((from) => ids.slice(from, from + BATCH))
      .filter(({ length }) => length > 0)
    yield* await Promise.all(batches.map((batch) => readBatch(api, zone, batch)))
  }
}

/** Whether many records can be read in one call. */
const newSupport = () => ({ batches: true })

/** Reads many records in one call, as OVH's own control panel does, or one by one where that is not supported. */
async function readBatch(api: ApiClient, zone: Zone, ids: readonly number[]): Promise<RawRecord[]> {
  const support = api.context.state(newSupport)
  if (ids.length === 1 || !support.batches) return readEach(api, zone, ids)
  try {
    const { body } = await api.read(`${recordsPath(zone)}/${ids.join(',')}`, {
      headers: { 'x-ovh-batch': ',' },
      schema: Batch,
    })
    const found = body.flatMap(({ value }) => value ?? [])
    const missing = ids.filter((id) => !found.some((one) => one.id === id))
    // Deleted in the meantime, or missing for another reason.
    return [...found, ...(await readEach(api, zone, missing))]
  } catch (error) {
    if (!(error instanceof ApiFailure) || (error.status !== 400 && error.status !== 404)) throw error
    const found = await readEach(api, zone, ids)
    // Otherwise the zone is gone.
    if (found.length > 0) support.batches = false
    return found
  }
}

async function readEach(api: ApiClient, zone: Zone, ids: readonly number[]): Promise<RawRecord[]> {
  const records: RawRecord[] = []
  for (const id of ids) {
    const found = await unlessMissing(api.read(`${recordsPath(zone)}/${id}`, { schema: RawRecord }))
    if (found !== null) records.push(found.body)
  }
  return records
}

/** The id of a zone is its name. */
const zonePath = (name: string): string => `/domain/zone/${encodeURIComponent(name)}`

const recordsPath = ({ id }: Zone): string => `${zonePath(id)}/record`

function toZone({ name, nameServers = [] }: { name: string; nameServers?: string[] }): Zone {
  const servers = nameServers.flatMap((server) => readName(server) ?? [])
  return { id: name, name: name.toLowerCase(), ...(servers.length > 0 && { nameServers: servers }) }
}

/** A value that does not change keeps its spelling. */
const writeRecord = ({ name, type, ttl, value, raw, keepsValue }: RecordWrite<RawRecord>) => ({
  subDomain: emptyAtApex(name),
  target: raw && keepsValue ? raw.target : typeOf(type).write(value),
  ttl: ttl ?? DEFAULT_TTL,
})

/** OVH's own type, where the record had one. */
function fieldTypeOf({ type, member: { extra } }: { type: RecordType; member: { extra?: unknown } }): string {
  const own = isObject(extra) ? extra['fieldType'] : undefined
  return type === 'TXT' && typeof own === 'string' && TXT_TYPES.has(own) ? own : type
}
