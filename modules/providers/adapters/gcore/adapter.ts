import { Type, type Static } from '@sinclair/typebox'
import { absoluteName } from '../../../../dns/names/names.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText, txtToText } from '../../../../dns/types/txt.ts'
import type { Answer, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { byOffset } from '../../client/paging.ts'
import { unlessMissing, type Zone } from '../../contract.ts'
import { byRRset } from '../../shared/rrsets/by-rrset.ts'
import type { Account } from '../../shared/define-provider.ts'
import type { Spelling } from '../../shared/rrsets/edited-set.ts'
import { ownerOf } from '../../shared/spelling/owner-names.ts'
import { joinCaa, splitCaa } from '../../shared/spelling/split-data.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const PAGE_SIZE = 1000

const RawZone = Type.Object({ name: Type.String() })

/** What else a record has, such as `meta` with its place or weight, is sent back as it is. */
const RawRecord = Type.Object({
  /** The data in order, numbers as such; a TXT as its plain text. */
  content: Type.Array(Type.Unknown()),
  enabled: Type.Optional(Type.Boolean()),
})

const RawSet = Type.Object({
  /** The whole name, without the final dot. */
  name: Type.String(),
  type: Type.String(),
  ttl: Type.Integer(),
  resource_records: Type.Array(RawRecord),
})

type RawRecord = Static<typeof RawRecord>
type RawSet = Static<typeof RawSet>

/** A set read alone is answered without its name and type. */
const OneSet = Type.Partial(RawSet)

const Zones = Type.Object({ zones: Type.Array(RawZone), total_amount: Type.Optional(Type.Integer()) })
const Sets = Type.Object({ rrsets: Type.Array(RawSet), total_amount: Type.Optional(Type.Integer()) })

/** Gcore DNS: its API version 2 (https://gcore.com/docs/api-reference/dns). */
export const open = byRRset({
  api({ credentials: { apiToken }, ...account }: Account<Credentials>) {
    const authenticate = () => ({ authorization: `APIKey ${apiToken}` })
    return clientOf({ ...account, credentials: { apiToken } }, { secrets: [apiToken], authenticate, explain })
  },

  listZones: (api) =>
    byOffset(
      async (offset) => {
        const { body } = await api.read('/zones', { query: { offset, limit: PAGE_SIZE }, schema: Zones })
        return { items: body.zones.map(toZone), total: body.total_amount }
      },
      { size: PAGE_SIZE },
    ),

  async findZones(api, name) {
    const { body } = await api.read(zonePath({ id: name }), { schema: RawZone })
    return [toZone(body)]
  },

  async createZone(api, { name }) {
    await api.write('/zones', { json: { name } })
    return toZone({ name })
  },

  deleteZone: (api, zone) => api.write(zonePath(zone), { method: 'DELETE', as: 'none' }),

  listSets: (api, zone) =>
    byOffset(
      async (offset) => {
        const query = { offset, limit: PAGE_SIZE }
        const { body } = await api.read(`${zonePath(zone)}/rrsets`, { query, schema: Sets, large: true })
        return { items: body.rrsets, total: body.total_amount }
      },
      { size: PAGE_SIZE },
    ),

  async readSet(api, zone, { name, type }): Promise<RawSet | null> {
    const found = await unlessMissing(api.read(setPath(zone, { name, type }), { schema: OneSet }))
    if (found === null) {
      // The zone may be missing as well.
      await api.read(zonePath(zone), { schema: RawZone })
      return null
    }
    const { ttl, resource_records } = found.body
    if (ttl === undefined || resource_records === undefined) throw api.malformed()
    return { ...found.body, name: absoluteName(name, zone.name), type, ttl, resource_records }
  },

  toSet(raw, zone) {
    const name = ownerOf(raw.name, zone)
    if (name === null) return null
    const values = raw.resource_records.map((rdata) => ({
      rdata,
      ...(rdata.enabled === false && { disabled: true }),
    }))
    return { name, type: raw.type, ttl: raw.ttl, values }
  },

  spell: () => spellingOf,
  show: ({ content }) => content.map(String).join(' '),

  async writeSet(api, zone, { name, type, ttl, values, raw }) {
    const path = setPath(zone, { name, type })
    if (values.length === 0) {
      await unlessMissing(api.write(path, { method: 'DELETE', as: 'none' }))
      return
    }
    const resource_records = values.map(({ rdata, disabled = false }) => ({ ...rdata, enabled: !disabled }))
    // What chooses between the records, such as `pickers`, would be lost if it were not sent back.
    const { name: _, type: __, ...kept } = raw ?? {}
    const method = raw === null ? 'POST' : 'PUT'
    await api.write(path, { method, json: { ...kept, ttl, resource_records }, schema: OneSet })
  },
})

/** The id of a zone is its name. */
const zonePath = ({ id }: Pick<Zone, 'id'>): string => `/zones/${encodeURIComponent(id)}`

const setPath = (zone: Zone, { name, type }: { name: string; type: string }): string =>
  `${zonePath(zone)}/${encodeURIComponent(absoluteName(name, zone.name))}/${type}`

const toZone = ({ name }: Static<typeof RawZone>): Zone => ({ id: name, name: name.toLowerCase() })

const spellingOf = (type: RecordType): Spelling<RawRecord> => ({
  read: ({ content }) => readContent(type, content),
  write: (value) => ({ content: writeContent(type, value), enabled: true }),
})

function readContent(type: RecordType, content: readonly unknown[]): string | null {
  const [first, second, third] = content
  if (type === 'TXT') return content.length === 1 && typeof first === 'string' ? txtFromText(first) : null
  if (type === 'CAA')
    return joinCaa({
      flags: Number(first),
      tag: String(second),
      text: String(third).replace(/^"(.*)"$/s, '$1'),
    })
  return typeOf(type).read(content.map(String).join(' '))
}

/** Numbers as such, names with the final dot. */
function writeContent(type: RecordType, value: string): unknown[] {
  if (type === 'TXT') return [txtToText(value)]
  if (type === 'CAA') {
    const { flags, tag, text } = splitCaa(value)
    return [flags, tag, text]
  }
  const words = typeOf(type).write(value).split(' ')
  return words.map((word, at) => (at < words.length - 1 ? Number(word) : word))
}

/** Gcore gives the reason of a failure in `error`; its status tells the kind. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || typeof body['error'] !== 'string') return undefined
  return { reason: body['error'] }
}
