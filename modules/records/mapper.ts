import type { Selectable } from 'kysely'
import type { RecordsTable } from '../../db/tables.ts'
import { toUnicodeName } from '../../dns/names.ts'
import type { DnsRecord } from '../../schemas/record.ts'
import type { RecordType } from '../../schemas/record-type.ts'
import { isoTime, type AsJson } from '../../schemas/scalars.ts'
import type { RecordState } from './change.ts'

export type RecordRow = Selectable<RecordsTable>

/** The columns that a client sees. */
export const LIST_COLUMNS = [
  'id',
  'domain_id',
  'name',
  'type',
  'value',
  'ttl',
  'priority',
  'proxied',
  'status',
  'version',
  'created_at',
  'updated_at',
] as const

/** In a list a row comes as JSON, where times are text. */
export type ListRow = AsJson<Pick<RecordRow, (typeof LIST_COLUMNS)[number]>>

export const toRecord = (row: ListRow): DnsRecord => ({
  id: row.id,
  domainId: row.domain_id,
  recordType: row.type as RecordType,
  name: row.name,
  unicodeName: toUnicodeName(row.name),
  value: row.value,
  ttl: row.ttl,
  priority: row.priority,
  proxied: row.proxied,
  status: row.status,
  version: row.version,
  createdAt: isoTime(row.created_at),
  updatedAt: isoTime(row.updated_at),
})

export const toState = (row: RecordRow): RecordState => ({
  id: row.id,
  name: row.name,
  type: row.type as RecordType,
  value: row.value,
  ttl: row.ttl,
  priority: row.priority,
  proxied: row.proxied,
  status: row.status,
  version: row.version,
  providerId: row.provider_record_id,
})
