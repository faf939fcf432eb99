import type { Selectable } from 'kysely'
import type { RecordsTable } from '../../db/tables.ts'
import { toUnicodeName } from '../../dns/names.ts'
import type { DnsRecord } from '../../schemas/record.ts'
import type { RecordType } from '../../schemas/record-type.ts'
import type { RecordState } from './change.ts'

export type RecordRow = Selectable<RecordsTable>

export const toRecord = (row: RecordRow): DnsRecord => ({
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
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
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
