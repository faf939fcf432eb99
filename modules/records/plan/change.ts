import type { ProviderExtra, RecordContent } from '../../../db/tables/index.ts'
import { rrsetKey, type Routing } from '../../../dns/names/rrset.ts'
import type { RecordData } from '../../../dns/types/index.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'

export type { RecordContent } from '../../../db/tables/index.ts'

/** A stored record as planning sees it. */
export interface RecordState extends RecordContent {
  id: string
  version: number
  status: 'active' | 'pending' | 'failed'
  providerId: string | null
}

/** The fields of a record as users give them. */
export interface RecordInput {
  recordType?: RecordType
  name?: string
  value?: string
  /** The strings of a TXT record, instead of the value. */
  strings?: string[]
  /** The fields of the value, instead of the value. */
  data?: RecordData
  /** Seconds. 0 or missing: the TTL of the RRset it joins, else the domain's default. Null: the provider chooses. */
  ttl?: number | null
  priority?: number | null
  proxied?: boolean
  enabled?: boolean
  comment?: string
  /** The RRset it belongs to; by default its current one, else the one without routing. */
  routing?: Pick<Routing, 'key'> | null
  /** Only for verbatim changes. */
  extra?: ProviderExtra | null
}

/** One create, update or delete of a record that a caller asks for. */
export type RequestedChange =
  | ({ action: 'create' } & RecordInput & Required<Pick<RecordInput, 'recordType' | 'name'>>)
  | ({ action: 'update'; recordId: string; version?: number } & RecordInput)
  | { action: 'delete'; recordId: string; version?: number }

/** One write of a plan. */
export interface Step {
  /** Position of the request; null for a step that follows from others, as when TTLs of an RRset are aligned. */
  index: number | null
  action: 'create' | 'update' | 'delete'
  recordId: string
  /** The provider's id of the record so far. */
  providerId: string | null
  before: RecordContent | null
  after: RecordContent | null
}

export const contentOf = (record: RecordContent): RecordContent => ({
  name: record.name,
  type: record.type,
  value: record.value,
  ttl: record.ttl,
  priority: record.priority,
  proxied: record.proxied,
  enabled: record.enabled,
  comment: record.comment,
  routing: record.routing,
  extra: record.extra,
})

/** Describes a record to people: `www A 192.0.2.1`. */
export const describe = ({ name, type, value }: Pick<RecordContent, 'name' | 'type' | 'value'>) =>
  `${name} ${type} ${value.length > 60 ? `${value.slice(0, 60)}…` : value}`

/** Names the RRset in the params of a reason code. */
export const rrsetParams = ({ type, name }: Pick<RecordContent, 'type' | 'name'>) => ({
  recordType: type,
  name,
})

/** Names the record in the params of a reason code. */
export const recordParams = (record: Pick<RecordContent, 'name' | 'type' | 'value'>) => ({
  ...rrsetParams(record),
  value: record.value,
})

/** The RRset that a write concerns. */
export type SetKey = Pick<RecordContent, 'name' | 'type'> & Partial<Pick<RecordContent, 'routing'>>

/** An RRset that is written whole. */
export type ExactSet = SetKey & {
  /** The records it had when the requests were made, with the version of each; missing: whatever it has. */
  records?: Record<string, number>
}

/** Values of an RRset at the provider that are not known here. */
export interface UnknownValues extends SetKey {
  values: readonly string[]
}

/** Known values of RRsets, by `rrsetKey`. */
export type KnownValues = ReadonlyMap<string, readonly string[]>

export const knownValues = (records: readonly (SetKey & { value: string })[]): KnownValues =>
  new Map([...Map.groupBy(records, rrsetKey)].map(([key, set]) => [key, set.map(({ value }) => value)]))

/** Ids of the records that the requests update or delete. */
export const recordIdsIn = (requests: readonly RequestedChange[]): string[] =>
  requests.flatMap((request) => (request.action === 'create' ? [] : [request.recordId]))
