import type { Executor } from '../../db/connection/connect.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { cursorAt, isMoment, positionOf, type CursorList } from '../../plugins/page-cursor.ts'
import { toProvenance } from '../../schemas/records/origin.ts'
import type { AuditAction } from './actions.ts'
import {
  auditAfter,
  auditPage,
  countAudit,
  type AuditFilter,
  type AuditRow,
  type Position,
} from './queries.ts'
import { recordAudit } from './service.ts'

/** Returns a page of the audit log, newest first; `cursor` continues a previous page. */
export async function listAudit(
  db: Executor,
  { page, limit, cursor, ...filter }: AuditFilter & { page: number; limit: number; cursor?: string },
) {
  const list: CursorList = { list: 'audit', parent: null, query: filter }
  const after = cursor === undefined ? null : positionOf(cursor, list, isMoment)
  const reading = after
    ? auditAfter(db, filter, { moment: String(after.value), id: after.id }, limit)
    : auditPage(db, filter, page, limit)
  const [rows, total] = await Promise.all([reading, countAudit(db, filter)])
  const last = rows.length === limit ? rows.at(-1) : undefined
  const nextCursor = last ? cursorAt(list, { value: last.moment, id: last.id }) : null
  return { entries: rows.map(toEntry), total, page, limit, nextCursor }
}

type PlacedRow = AuditRow & Position

const CHUNK = 1_000

/** Characters that begin a formula in spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/

/** Returns a line as RFC 4180; null is an empty cell. A cell that would be a formula gets a leading apostrophe. */
const csvLine = (cells: readonly (string | null)[]): string => cells.map(csvCell).join(',') + '\r\n'

function csvCell(value: string | null): string {
  if (value === null) return ''
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const COLUMNS = ['id', 'at', 'actorId', 'actorName', 'ip', 'requestId', 'action']
/** Added at the end, so readers by column position keep working. */
const PROVENANCE = ['origin', 'tokenId', 'tokenName', 'tokenSuffix']
const HEADER = csvLine([...COLUMNS, 'targetType', 'targetId', 'targetName', 'before', 'after', ...PROVENANCE])

/**
 * Exports the audit log as CSV, newest first, one chunk in memory at a time. The first is read before the response
 * begins.
 */
export async function exportAudit(
  db: Executor,
  caller: Caller,
  filter: AuditFilter,
): Promise<AsyncIterable<string>> {
  // Logged before reading, so the export contains its own entry.
  await recordAudit(db, caller, {
    action: 'audit.exported',
    target: { type: 'audit', id: null, name: null },
    after: { filter },
  })
  return linesFrom(await auditAfter(db, filter, null, CHUNK), db, filter)
}

async function* linesFrom(first: PlacedRow[], db: Executor, filter: AuditFilter): AsyncGenerator<string> {
  yield HEADER
  let rows = first
  for (;;) {
    if (rows.length > 0) yield rows.map(toLine).join('')
    const last = rows.at(-1)
    if (!last || rows.length < CHUNK) return
    rows = await auditAfter(db, filter, last, CHUNK)
  }
}

export const toEntry = (row: AuditRow) => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { id: row.actor_id, name: row.actor_name, kind: row.actor_kind },
  ...toProvenance(row),
  ip: row.ip,
  requestId: row.request_id,
  action: row.action as AuditAction,
  target: { type: row.target_type, id: row.target_id, name: row.target_name },
  before: row.before,
  after: row.after,
})

function toLine(row: AuditRow): string {
  const { id, at, actor, origin, token, ip, requestId, action, target, before, after } = toEntry(row)
  const what = [target.type, target.id, target.name, asJson(before), asJson(after)]
  const by = [origin, token?.id ?? null, token?.name ?? null, token?.suffix ?? null]
  return csvLine([id, at, actor.id, actor.name, ip, requestId, action, ...what, ...by])
}

const asJson = (value: object | null) => (value === null ? null : JSON.stringify(value))
