import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { absoluteName, relativeName } from '../../../../dns/names/names.ts'
import { readName, writeName } from '../../../../dns/wire/wire-name.ts'
import { inSlices } from '../../../../plugins/http/event-loop.ts'
import type { ApiClient } from '../../client/client.ts'
import { tooLarge, type Zone } from '../../contract.ts'
import type { ListedSet } from '../../shared/rrsets/listed-sets.ts'

/** RFC 2181 section 8. */
const Ttl = Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })

/** An RRset at PowerDNS, including types that we don't manage. */
export interface RawRRset {
  /** Absolute, with the final dot. */
  name: string
  type: string
  ttl: number
  /** Kept unchanged when their siblings change. */
  records: { content: string; disabled: boolean }[]
}

/** The server itself. */
export const RawServer = Type.Object({ daemon_type: Type.String(), version: Type.String() })

/** An item of `GET /zones`, without its RRsets. */
export const RawZone = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.Optional(Type.String()),
})

/** The answer of `GET /zones/{id}`. Its RRsets may be many, so they are checked one by one. */
export const RawZoneData = Type.Object({
  ...RawZone.properties,
  serial: Type.Optional(Type.Integer()),
  soa_edit_api: Type.Optional(Type.String()),
  rrsets: Type.Array(Type.Unknown()),
})

/** What an answer says of a zone; its RRsets may be filtered. */
export interface ZoneAnswer {
  /** Read before the RRsets; null: a write through the API may leave it unchanged. */
  serial: number | null
  rrsets: RawRRset[]
}

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

/**
 * The serial of a zone if every write through the API raises it. With other values of SOA-EDIT-API it is the time in
 * seconds, depends on SOA-EDIT, or stays as it is (https://doc.powerdns.com/authoritative/domainmetadata.html).
 */
export const risingSerial = ({ serial = 0, soa_edit_api: kind = '' }: Static<typeof RawZoneData>) =>
  serial > 0 && /^(default|increase)$/i.test(kind) ? serial : null

/** The RRsets of an answer. Rejects if they have another form, belong to another zone, or have more records than allowed. */
export async function parseRRsets(
  data: Static<typeof RawZoneData>,
  zone: Zone,
  api: ApiClient,
): Promise<RawRRset[]> {
  const { maxZoneRecords } = api.context
  if (toZone(data).name !== zone.name) throw api.malformed()
  const parsed: RawRRset[] = []
  let count = 0
  await inSlices(data.rrsets, (each) => {
    if (!rrsets.Check(each)) throw api.malformed()
    const { type, ttl, records } = each
    parsed.push({ name: parseName(each.name, api), type, ttl, records: records.map(toRecord) })
    // An RRset without records counts as one record.
    count += Math.max(records.length, 1)
    if (count > maxZoneRecords) throw tooLarge(maxZoneRecords)
  })
  return parsed
}

/** In canonical form: PowerDNS leaves out escapes of `;` and `"` that others need. */
function parseName(raw: string, api: ApiClient): string {
  const name = readName(raw)
  if (name === null) throw api.malformed()
  return writeName(name)
}

const toRecord = ({ content, disabled }: { content: string; disabled?: unknown }) => ({
  content,
  disabled: disabled === true,
})

/** A name relative to the zone as PowerDNS has it. */
export const rawName = (name: string, zone: Zone): string => `${absoluteName(name, zone.name)}.`

/** The RRset in our terms; null: it is not in the zone. */
export function toSet({ name: owner, type, ttl, records }: RawRRset, zone: Zone): ListedSet | null {
  const name = relativeName(owner, zone.name)
  const values = records.map(({ content, disabled }) => ({ rdata: content, disabled }))
  return name === null ? null : { name, type, ttl, values }
}
