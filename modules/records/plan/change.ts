import type { ProviderExtra, RecordContent } from '../../../db/tables/index.ts'
import { rrsetKey, type Routing } from '../../../dns/names/rrset.ts'
import type { RecordData } from '../../../dns/types/index.ts'
import type { RecordType } from '../../../schemas/record-type.ts'

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
  /** Of a TXT, instead of the value. */
  strings?: string[]
  /** Instead of the value: its fields. */
  data?: RecordData
  /** Seconds; 0 or missing: that of the RRset it joins, else the domain's default; null: the provider chooses. */
  ttl?: number | null
  priority?: number | null
  proxied?: boolean
  enabled?: boolean
  comment?: string
  /** The set that it belongs to; missing: the one it is in, else the one without routing. */
  routing?: Pick<Routing, 'key'> | null
  /** Only of what is taken as it is. */
  extra?: ProviderExtra | null
}

/** One create, update or delete of a record that a caller asks for. */
export type RequestedChange =
  | ({ action: 'create' } & RecordInput & Required<Pick<RecordInput, 'recordType' | 'name'>>)
  | ({ action: 'update'; recordId: string; version?: number } & RecordInput)
  | { action: 'delete'; recordId: string; version?: number }

/** One thing that will happen to one record. */
export interface Step {
  /** Which request asked for it; null when it follows from another (TTLs of an RRset are aligned). */
  index: number | null
  action: 'create' | 'update' | 'delete'
  recordId: string
  /** The provider's id of the record before. */
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

/** For people: `www A 192.0.2.1`. */
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
