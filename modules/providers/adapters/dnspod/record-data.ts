import type { Routing } from '../../../../dns/names/rrset.ts'
import { readQuoted } from '../../../../dns/text/text.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText } from '../../../../dns/types/txt.ts'
import type { RecordWrite } from '../../shared/records/by-id.ts'
import type { RawRecord } from './client.ts'

const DEFAULT_LINE = { id: '0', name: '默认' }

/** Types whose first number has a field of its own. */
const WITH_PRIORITY: readonly RecordType[] = ['MX', 'HTTPS', 'SVCB']

/** The id of a line, with a weight unless that is 0, is the key. */
export function routingOf({ Line: name, LineId: id, Weight: weight }: RawRecord): Routing | null {
  const line = name ?? id
  if (weight) return { key: `${id}|${weight}`, line, weight }
  return id === DEFAULT_LINE.id ? null : { key: id, line }
}

/** The fields for a routing; the default line has none. */
function writeRouting(routing: Routing | null | undefined) {
  const [id = '', weight] = (routing?.key ?? DEFAULT_LINE.id).split('|')
  return {
    RecordLine: routing?.line ?? DEFAULT_LINE.name,
    RecordLineId: id,
    ...(weight !== undefined && { Weight: Number(weight) }),
  }
}

/** The fields for a canonical value. */
function writeContent(type: RecordType, value: string): { Value: string; MX?: number } {
  const rdata = typeOf(type).write(value)
  if (type === 'TXT') return { Value: isPlain(value) ? value : rdata }
  if (!WITH_PRIORITY.includes(type)) return { Value: rdata }
  const [priority, ...rest] = rdata.split(' ')
  return { MX: Number(priority), Value: rest.join(' ') }
}

/** DNSPod stores these texts unchanged; others are quoted as in zone files. */
const isPlain = (text: string): boolean => readQuoted(text) === null && text.trim() === text

/** The canonical value; null: the data is not of that type. */
export function readValue(type: RecordType, { Value: value, MX: priority }: RawRecord): string | null {
  if (type === 'TXT' && readQuoted(value) === null) return txtFromText(value)
  return typeOf(type).read(WITH_PRIORITY.includes(type) ? `${priority ?? ''} ${value}` : value)
}

/** A record to create. */
export const writeNew = ({ name, type, routing, ttl, value }: RecordWrite<RawRecord>) => ({
  SubDomain: name,
  RecordType: type,
  ...writeRouting(routing),
  ...writeContent(type, value),
  TTL: ttl,
})

/** A record to change, or to create with a status and a remark. An unchanged value keeps its spelling. */
export const writeRecord = (write: RecordWrite<RawRecord>) => ({
  ...writeNew(write),
  ...(write.raw && write.keepsValue && contentOf(write.raw)),
  Status: write.member.disabled === true ? 'DISABLE' : 'ENABLE',
  Remark: write.member.comment ?? '',
})

const contentOf = ({ Type: type, Value, MX }: RawRecord) => ({
  Value,
  ...(WITH_PRIORITY.some((one) => one === type) && { MX }),
})
