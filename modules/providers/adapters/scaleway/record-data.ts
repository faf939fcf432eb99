import type { JsonValue } from '../../../../db/tables/index.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText } from '../../../../dns/types/txt.ts'
import { isObject } from '../../client/json.ts'
import type { Zone } from '../../contract.ts'
import type { RecordWrite } from '../../shared/records/by-id.ts'
import { absolute, relativeTo } from '../../shared/rrsets/edited-set.ts'
import { emptyAtApex } from '../../shared/spelling/owner-names.ts'
import type { RawRecord } from './client.ts'

/** Settings that make the answers differ from the data, which is then only the fallback. */
const DYNAMIC = ['geo_ip_config', 'http_service_config', 'weighted_config', 'view_config'] as const

/** The canonical value; null: the data is not of that type. */
export function readValue(type: RecordType, { data, priority }: RawRecord, zone: Zone): string | null {
  // Quoted text is in zone file form, other text is plain.
  if (type === 'TXT') return /^".*"$/s.test(data) ? typeOf(type).read(data) : txtFromText(data)
  const rdata = type === 'MX' && !/^\d+\s/.test(data) ? `${priority ?? 0} ${data}` : data
  return relativeTo(zone.name)(type).read(rdata)
}

/** A record to send. An unchanged value keeps its spelling. */
export function writeRecord({ name, type, ttl, value, member, raw, keepsValue }: RecordWrite<RawRecord>) {
  const kept = keepsValue ? raw : undefined
  const data = kept?.data ?? absolute(type).write(value)
  const { comment, extra } = member
  return {
    name: emptyAtApex(name),
    type,
    data,
    ...(type === 'MX' && { priority: kept ? (kept.priority ?? 0) : Number(data.split(' ')[0]) }),
    ...(ttl !== null && { ttl }),
    ...(comment !== undefined && { comment }),
    ...(isObject(extra) && extra),
  }
}

export function extraOf(raw: RawRecord): { extra?: JsonValue } {
  const settings = DYNAMIC.flatMap((field) => {
    const config = raw[field] ?? null
    return config === null ? [] : [[field, config as JsonValue] as const]
  })
  return settings.length > 0 ? { extra: Object.fromEntries(settings) } : {}
}
