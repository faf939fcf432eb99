import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { relativeName } from '../../../../dns/names/names.ts'
import { readName, writeName } from '../../../../dns/wire/wire-name.ts'
import { inSlices } from '../../../../plugins/http/event-loop.ts'
import {
  tooLarge,
  type Member,
  type RRset,
  type RRsetPage,
  type UnmanagedRecord,
  type Zone,
} from '../../contract.ts'
import { malformed } from './client.ts'

/** RFC 2181 section 8. */
const Ttl = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })

/** A record at PowerDNS; kept unchanged when its siblings change. */
export interface RawRecord {
  content: string
  disabled: boolean
}

/** An RRset at PowerDNS, including types that we don't manage. */
export interface RawRRset {
  /** Absolute, with the final dot. */
  name: string
  type: string
  ttl: number
  records: RawRecord[]
}

/** The server itself. */
export const RawServer = Type.Object({ daemon_type: Type.String(), version: Type.String() })

/** An item of `GET /zones`, without its RRsets. */
export const RawZone = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.Optional(Type.String()),
})

/** An item of `GET /zones/{id}/cryptokeys`. */
export const RawKeys = Type.Array(
  Type.Object({ active: Type.Boolean(), ds: Type.Optional(Type.Array(Type.String())) }),
)

export const RawZones = Type.Array(RawZone)

/** The response of `GET /zones/{id}`. Its RRsets may be many, so they are checked one by one. */
export const RawZoneData = Type.Object({ ...RawZone.properties, rrsets: Type.Array(Type.Unknown()) })

/** An item of `GET /search-data`. */
export const RawFound = Type.Array(
  Type.Object({
    zone_id: Type.Optional(Type.String()),
    name: Type.String(),
    type: Type.Optional(Type.String()),
    ttl: Type.Optional(Ttl),
    content: Type.Optional(Type.String()),
    disabled: Type.Optional(Type.Boolean()),
  }),
)

const rrsets = TypeCompiler.Compile(
  Type.Object({
    name: Type.String(),
    type: Type.String(),
    ttl: Ttl,
    records: Type.Array(Type.Object({ content: Type.String(), disabled: Type.Optional(Type.Unknown()) })),
  }),
)

/** Consumers are secondaries of a catalog zone (RFC 9432). */
export const toZone = ({ id, name, kind }: Static<typeof RawZone>): Zone => ({
  id,
  name: name.toLowerCase().replace(/\.$/, ''),
  ...(kind !== undefined && { kind: /^(slave|secondary|consumer)$/i.test(kind) ? 'secondary' : 'primary' }),
})

/** Rejects with ProviderError if they have another form, belong to another zone, or have more records. */
export async function parseRRsets(
  data: Static<typeof RawZoneData>,
  zone: Zone,
  maxRecords: number,
): Promise<RawRRset[]> {
  if (toZone(data).name !== zone.name) throw malformed()
  const parsed: RawRRset[] = []
  let count = 0
  await inSlices(data.rrsets, (each) => {
    if (!rrsets.Check(each)) throw malformed()
    const { type, ttl, records } = each
    parsed.push({ name: parseName(each.name), type, ttl, records: records.map(toRecord) })
    // An RRset without records counts as one record.
    count += Math.max(records.length, 1)
    if (count > maxRecords) throw tooLarge(maxRecords)
  })
  return parsed
}

/** In canonical form: PowerDNS leaves out escapes of `;` and `"` that others need. */
function parseName(raw: string): string {
  const name = readName(raw)
  if (name === null) throw malformed()
  return writeName(name)
}

const toRecord = ({ content, disabled }: { content: string; disabled?: unknown }): RawRecord => ({
  content,
  disabled: disabled === true,
})

/** The RRset in the response of a search; leaves out records of other zones, names and types. */
export function parseFound(rows: Static<typeof RawFound>, zone: Zone, name: string, type: string): RawRRset {
  const found: RawRRset = { name, type, ttl: 0, records: [] }
  for (const { content, ttl, disabled, ...row } of rows) {
    if (row.zone_id !== zone.id || row.type !== type || parseName(row.name) !== name) continue
    if (content === undefined || ttl === undefined) throw malformed()
    // PowerDNS also takes the smallest TTL if the records of an RRset differ in it.
    found.ttl = found.records.length === 0 ? ttl : Math.min(found.ttl, ttl)
    found.records.push(toRecord({ content, disabled }))
  }
  return found
}

/** The RRsets as a page: managed records, and other enabled ones. */
export function toPage(raw: RawRRset[], zone: Zone): RRsetPage {
  const page: RRsetPage = { rrsets: [], unmanaged: [] }
  for (const rrset of raw) {
    const shown = toRRset(rrset, zone)
    if (shown !== null) page.rrsets.push(shown)
    page.unmanaged.push(...toUnmanaged(rrset, zone))
  }
  return page
}

function toUnmanaged({ name, type, ttl, records }: RawRRset, zone: Zone): UnmanagedRecord[] {
  const owner = relativeName(name, zone.name)
  if (owner === null || type === 'SOA') return []
  const known = readType(type)
  const isShown = (content: string) => known !== null && typeOf(known).read(content) !== null
  return records
    .filter(({ content, disabled }) => !disabled && !isShown(content))
    .map(({ content }) => ({ name: owner, type, ttl, value: content }))
}

/** The RRset, or null if it has nothing to show. */
export function toRRset(raw: RawRRset, zone: Zone): RRset | null {
  const name = relativeName(raw.name, zone.name)
  const type = readType(raw.type)
  if (name === null || type === null) return null
  const members = toMembers(type, raw.records)
  return members.length === 0 ? null : { name, type, ttl: raw.ttl, members }
}

function toMembers(type: RecordType, records: RawRecord[]): Member[] {
  const served = new Map<string, boolean>()
  for (const { content, disabled } of records) {
    const value = typeOf(type).read(content)
    // The same value may occur in two spellings.
    if (value !== null) served.set(value, !disabled || served.get(value) === true)
  }
  return Array.from(served, ([value, isServed]) => (isServed ? { value } : { value, disabled: true }))
}

/** An entry of a PATCH of a zone. */
export interface Patch {
  name: string
  type: string
  changetype: 'REPLACE' | 'DELETE'
  ttl?: number
  records?: RawRecord[]
}
