import { relativeName } from '../../../../dns/names.ts'
import { quoteBytes, splitTokens, unescapeBytes } from '../../../../dns/strings.ts'
import { readType, typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText } from '../../../../dns/types/txt.ts'
import { bytesOfText } from '../../../../dns/text.ts'
import { readName } from '../../../../dns/wire-name.ts'
import type { UnmanagedRecord, Zone } from '../../contract.ts'
import type { HeldRecord } from '../../edited-records.ts'
import type { RawRecord } from './client.ts'

/** What of a record says its value. */
type Content = Pick<RawRecord, 'data' | 'priority' | 'port' | 'weight' | 'flags' | 'tag'>

/** A canonical value in DigitalOcean's words: names absolute, a TXT as its bare text. */
export function writeContent(type: RecordType, value: string): Content {
  const rdata = typeOf(type).write(value)
  if (type === 'TXT') return { data: bytesOfText(value).toString() }
  const [first = '', second = '', third = '', fourth = ''] = (splitTokens(rdata) ?? []).map(({ raw }) => raw)
  if (type === 'MX') return { priority: Number(first), data: second }
  if (type === 'SRV')
    return { priority: Number(first), weight: Number(second), port: Number(third), data: fourth }
  // The value as a name, whatever it is; it comes back without the dot.
  if (type === 'CAA') return { flags: Number(first), tag: second, data: `${unescaped(third)}.` }
  return { data: rdata }
}

const unescaped = (raw: string): string => unescapeBytes(raw)?.toString() ?? raw

/** The canonical value; null when it is none of that type. */
function readContent(type: RecordType, content: Content, zone: Zone): string | null {
  const { priority, weight, port, flags } = content
  const read = (rdata: string) => typeOf(type).read(rdata)
  const data = content.data ?? ''
  // Of names the domain itself.
  const name = data === '@' ? zone.name : data
  if (type === 'TXT') return txtFromText(data)
  if (type === 'MX') return read(`${priority ?? ''} ${name}`)
  if (type === 'SRV') return read(`${priority ?? ''} ${weight ?? ''} ${port ?? ''} ${name}`)
  if (type === 'CAA') {
    return read(`${flags ?? ''} ${content.tag ?? ''} ${quoteBytes(Buffer.from(data))}`)
  }
  return read(name)
}

/** The record as ours, or as one that is not managed; null for the SOA. */
export function readRecord(raw: RawRecord, zone: Zone): HeldRecord | UnmanagedRecord | null {
  const absolute = readName(raw.name === '@' ? zone.name : `${raw.name}.${zone.name}`)
  const name = absolute === null ? null : relativeName(absolute, zone.name)
  if (name === null || raw.type === 'SOA') return null
  const type = readType(raw.type)
  const value = type === null ? null : readContent(type, raw, zone)
  if (type === null || value === null) return { name, type: raw.type, ttl: raw.ttl, value: raw.data ?? '' }
  return { id: String(raw.id), name, type, ttl: raw.ttl, member: { value } }
}
