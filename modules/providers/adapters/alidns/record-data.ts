import type { Routing } from '../../../../dns/names/rrset.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { txtFromText, txtToText } from '../../../../dns/types/txt.ts'
import type { Member } from '../../contract.ts'
import type { RecordWrite } from '../../shared/by-id.ts'
import type { RawRecord } from './client.ts'

const DEFAULT_LINE = 'default'

/** Types that end in a name, which Alibaba writes without the final dot. */
const WITH_NAME: ReadonlySet<RecordType> = new Set(['CNAME', 'NS', 'MX', 'SRV'])

/** The code of a line is its key. */
export const routingOf = (line: string): Routing | null =>
  line === DEFAULT_LINE ? null : { key: line, line }

/** The fields for a canonical value; a TXT is its plain text. */
function writeContent(type: RecordType, value: string): { Value: string; Priority?: number } {
  if (type === 'TXT') return { Value: txtToText(value) }
  const written = typeOf(type).write(value)
  const rdata = WITH_NAME.has(type) ? written.replace(/\.$/, '') : written
  if (type !== 'MX') return { Value: rdata }
  const [priority, host = ''] = rdata.split(' ')
  return { Value: host, Priority: Number(priority) }
}

/** The canonical value; null: the data is not of that type. */
export function readValue(type: RecordType, { Value: value, Priority: priority }: RawRecord): string | null {
  if (type === 'TXT') return txtFromText(value)
  return typeOf(type).read(type === 'MX' ? `${priority ?? ''} ${value}` : value)
}

/** A record to send. An unchanged value keeps its spelling. */
export const writeRecord = ({
  name,
  type,
  routing,
  value,
  ttl,
  raw,
  keepsValue,
}: RecordWrite<RawRecord>) => ({
  RR: name,
  Type: type,
  ...(raw && keepsValue ? { Value: raw.Value, Priority: raw.Priority } : writeContent(type, value)),
  TTL: ttl ?? undefined,
  Line: routing?.key ?? DEFAULT_LINE,
})

/** Properties that can be changed at Alibaba Cloud only. */
export function extraOf({
  Locked: locked,
  LbaStatus: counts,
  Weight: weight,
}: RawRecord): Pick<Member, 'extra'> {
  const extra = {
    ...(locked === true && { locked }),
    ...(counts === true && weight !== undefined && { weight }),
  }
  return Object.keys(extra).length === 0 ? {} : { extra }
}
