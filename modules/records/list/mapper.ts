import type { Selectable } from 'kysely'
import type { RecordsTable } from '../../../db/tables/index.ts'
import { toUnicodeName } from '../../../dns/names/names.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { joinTxt, txtStrings } from '../../../dns/types/txt.ts'
import type { DnsRecord, RecordSnapshot } from '../../../schemas/records/record.ts'
import { isoTime, type AsJson } from '../../../schemas/scalars.ts'
import { contentOf, type RecordContent, type RecordState } from '../plan/change.ts'

export type RecordRow = Selectable<RecordsTable>

/** Columns that answers contain. */
export const LIST_COLUMNS = [
  'id',
  'domain_id',
  'name',
  'type',
  'value',
  'ttl',
  'priority',
  'proxied',
  'enabled',
  'comment',
  'routing',
  'status',
  'version',
  'created_at',
  'updated_at',
] as const

/** A row of a list, as JSON: times are text. */
export type ListRow = AsJson<Pick<RecordRow, (typeof LIST_COLUMNS)[number]>>

/** Maps a value to its answer: of a TXT the joined text, and its strings if they are not the default split. */
export function toShownValue({ type, value }: { type: string; value: string }): {
  value: string
  strings?: string[]
} {
  const strings = type === 'TXT' ? txtStrings(value) : null
  return strings === null ? { value } : { value: joinTxt(value), strings }
}

/** Maps the content of a record to its answer. */
export const toContent = ({
  name,
  type,
  value,
  ttl,
  priority,
  proxied,
  enabled,
  comment,
  routing,
}: Omit<RecordContent, 'extra'>) => ({
  name,
  recordType: type,
  ...toShownValue({ type, value }),
  ttl,
  priority,
  proxied,
  enabled,
  comment,
  routing,
})

export const toRecord = (row: ListRow): DnsRecord => ({
  id: row.id,
  domainId: row.domain_id,
  unicodeName: toUnicodeName(row.name),
  ...toContent(row),
  status: row.status,
  version: row.version,
  createdAt: isoTime(row.created_at),
  updatedAt: isoTime(row.updated_at),
})

/** Maps a record to its answer, with the fields of its value. */
export const toRecordWithData = (row: ListRow): DnsRecord => ({
  ...toRecord(row),
  data: typeOf(row.type).toData(row.value),
})

/** Maps a conflicting or current record, as far as a client needs it. */
export const toSnapshot = (record: RecordState): RecordSnapshot => ({
  id: record.id,
  ...toContent(record),
  version: record.version,
})

export const toState = (row: RecordRow): RecordState => ({
  id: row.id,
  ...contentOf(row),
  status: row.status,
  version: row.version,
  providerId: row.provider_record_id,
})
