import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { relativeName } from '../../../../dns/names.ts'
import { readName, writeName } from '../../../../dns/wire-name.ts'
import { inSlices } from '../../../../plugins/event-loop.ts'
import {
  tooLarge,
  type Member,
  type RRset,
  type RRsetPage,
  type UnmanagedRecord,
  type Zone,
} from '../../contract.ts'
import { isObject, malformed } from './client.ts'

/** One record as PowerDNS has it; kept to the letter when its siblings change. */
export interface RawRecord {
  content: string
  disabled: boolean
}

/** An RRset as PowerDNS has it, also of types that we don't manage. */
export interface RawRRset {
  /** Absolute, with the final dot. */
  name: string
  type: string
  ttl: number
  records: RawRecord[]
}

/** The zone of the answer. Throws ProviderError when it has another form. */
export function parseZone(value: unknown): Zone {
  if (!isObject(value) || typeof value['id'] !== 'string' || typeof value['name'] !== 'string')
    throw malformed()
  const { id, name, kind } = value
  const shown = { id, name: name.toLowerCase().replace(/\.$/, '') }
  return typeof kind === 'string' ? { ...shown, kind: kindOf(kind) } : shown
}

/** Consumers are secondaries of a catalog zone (RFC 9432). */
const kindOf = (kind: string) => (/^(slave|secondary|consumer)$/i.test(kind) ? 'secondary' : 'primary')

/** The RRsets of `GET /zones/{id}`. Rejects with ProviderError when the answer has another form, or more records. */
export async function parseRRsets(value: unknown, zone: Zone, maxRecords: number): Promise<RawRRset[]> {
  if (parseZone(value).name !== zone.name) throw malformed()
  const values = isObject(value) ? value['rrsets'] : undefined
  if (!Array.isArray(values)) throw malformed()
  const rrsets: RawRRset[] = []
  let records = 0
  await inSlices(values, (each: unknown) => {
    const rrset = parseRRset(each)
    rrsets.push(rrset)
    // One without records takes as much as another.
    records += Math.max(rrset.records.length, 1)
    if (records > maxRecords) throw tooLarge(maxRecords)
  })
  return rrsets
}

function parseRRset(value: unknown): RawRRset {
  if (!isObject(value)) throw malformed()
  const { name, type, ttl, records } = value
  if (typeof name !== 'string' || typeof type !== 'string' || !isTtl(ttl)) throw malformed()
  if (!Array.isArray(records)) throw malformed()
  return { name: parseName(name), type, ttl, records: records.map(parseRecord) }
}

/** In our canonical form: PowerDNS leaves out escapes that others need, of `;` and `"`. */
function parseName(raw: string): string {
  const name = readName(raw)
  if (name === null) throw malformed()
  return writeName(name)
}

/** RFC 2181 section 8. */
const isTtl = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31

function parseRecord(value: unknown): RawRecord {
  if (!isObject(value) || typeof value['content'] !== 'string') throw malformed()
  return { content: value['content'], disabled: value['disabled'] === true }
}

/** The one RRset in the answer of a search; records of other zones, names and types are left out. */
export function parseFound(value: unknown, zone: Zone, name: string, type: string): RawRRset {
  if (!Array.isArray(value)) throw malformed()
  const found: RawRRset = { name, type, ttl: 0, records: [] }
  for (const row of value) {
    if (!isObject(row)) throw malformed()
    if (row['zone_id'] !== zone.id || row['type'] !== type) continue
    if (typeof row['name'] !== 'string' || parseName(row['name']) !== name) continue
    if (!isTtl(row['ttl'])) throw malformed()
    // As PowerDNS does for an RRset whose records differ in it.
    found.ttl = found.records.length === 0 ? row['ttl'] : Math.min(found.ttl, row['ttl'])
    found.records.push(parseRecord(row))
  }
  return found
}

/** What we show of these RRsets: records of the types we manage, and what else is enabled. */
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

/** The RRset, or null when it has nothing that we show. */
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
    // The same value may be there in two spellings.
    if (value !== null) served.set(value, !disabled || served.get(value) === true)
  }
  return Array.from(served, ([value, isServed]) => (isServed ? { value } : { value, disabled: true }))
}
