import type { Routing } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import type { Member, Zone } from '../../contract.ts'
import type { RecordWrite } from '../../shared/records/by-id.ts'
import { joinData, splitData, type Split } from '../../shared/spelling/split-data.ts'
import type { RawRecord } from './client.ts'

const DEFAULT_LINE = 'default'

/** The other numbers of an SRV precede its name. */
const SPLIT: Split = { MX: ['priority'] }

/** The code of a line is its key. */
export const routingOf = (line: string): Routing | null =>
  line === DEFAULT_LINE ? null : { key: line, line }

/** The fields for a canonical value. */
function writeContent(type: RecordType, value: string): { Value: string; Priority?: number } {
  const { data, priority } = splitData(type, value, SPLIT)
  return { Value: data, ...(priority !== undefined && { Priority: priority }) }
}

/** The canonical value; null: the data is not of that type. */
export const readValue = (type: RecordType, { Value: data, Priority: priority }: RawRecord, zone: Zone) =>
  joinData(type, { data, priority }, SPLIT, zone.name)

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
