import type { Caller } from '../../../plugins/security/access/index.ts'
import { toProvenance, type Origin } from '../../../schemas/records/origin.ts'
import { notFound } from '../../../plugins/http/errors.ts'
import { cursorAt, positionOf, type CursorList } from '../../../plugins/page-cursor.ts'
import {
  recordScopeOf,
  requireDomain,
  seesAllRecords,
  seesRecord,
  type RecordScope,
} from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { ownersIn } from '../plan/input.ts'
import { toContent } from '../list/mapper.ts'
import {
  countChanges,
  findChange,
  itemsOf,
  listChanges,
  type ChangeRow,
  type ItemRow,
} from './history-queries.ts'
import { siblingsThen } from './sibling-queries.ts'

/** Most items of a change in a list. */
const SHOWN_ITEMS = 100

/** Most items of a single change. */
const MAX_ITEMS = 10_000

interface HistoryQuery {
  page: number
  limit: number
  cursor?: string
  name?: string
  type?: string
  actor?: string
  token?: string
  origin?: Origin
  /** ISO 8601. */
  from?: string
  to?: string
}

/** Returns the changes of a domain, newest first, filtered by name, type, actor, token, origin or time. */
export async function readHistory(
  { db }: RecordContext,
  caller: Caller,
  domainId: string,
  { page, limit, cursor, ...asked }: HistoryQuery,
) {
  const domain = await requireDomain(db, caller, domainId, 'read')
  const scope = recordScopeOf(domain, caller)
  const filter = toFilter(asked, domain.name)
  const list: CursorList = { list: 'changes', parent: domainId, query: asked }
  const after = cursor === undefined ? null : positionOf(cursor, list, isPosition)
  const [changes, total] = await Promise.all([
    listChanges(db, domainId, scope, filter, { limit, offset: after ? 0 : (page - 1) * limit, after }),
    countChanges(db, domainId, scope, filter),
  ])
  const items = await itemsOf(
    db,
    changes.map(({ id }) => id),
    scope,
    SHOWN_ITEMS,
  )
  const last = changes.length === limit ? changes.at(-1) : undefined
  const byChange = Map.groupBy(items, (item) => item.change_id)
  return {
    changes: changes.map((change) => toHistoryEntry(change, byChange.get(change.id) ?? [], scope)),
    total,
    page,
    limit,
    nextCursor: last ? cursorAt(list, { value: last.seq, id: last.id }) : null,
  }
}

const isPosition = (value: string | null) => value !== null && /^\d{1,18}$/.test(value)

const toFilter = (
  { name, type, actor, token, origin, from, to }: Omit<HistoryQuery, 'page' | 'limit' | 'cursor'>,
  zone: string,
) => ({
  ...(name !== undefined && { names: ownersIn(name, zone) }),
  ...(type !== undefined && { type }),
  ...(actor !== undefined && { actor }),
  ...(token !== undefined && { token }),
  ...(origin !== undefined && { origin }),
  ...(from !== undefined && { from: new Date(from) }),
  ...(to !== undefined && { to: new Date(to) }),
})

/** Most RRsets of a change whose unchanged records are returned, and most of these records. */
const MAX_SETS = 200

const MAX_UNCHANGED = 1_000

/** Returns one change. `unchanged`: also the other records of its RRsets at that time. */
export async function readChange(
  { db }: RecordContext,
  caller: Caller,
  domainId: string,
  changeId: string,
  { unchanged }: { unchanged: boolean },
) {
  const scope = recordScopeOf(await requireDomain(db, caller, domainId, 'read'), caller)
  const change = await findChange(db, domainId, scope, changeId)
  if (!change) throw notFound('change', changeId)
  const entry = toHistoryEntry(change, await itemsOf(db, [changeId], scope, MAX_ITEMS), scope)
  if (!unchanged) return entry
  const sets = new Map(
    entry.items
      .flatMap(({ before, after }) => [before, after].filter((side) => side !== null))
      .map(({ name, recordType: type }) => [`${name} ${type}`, { name, type }]),
  )
  const siblings = await siblingsThen(db, change, [...sets.values()].slice(0, MAX_SETS), MAX_UNCHANGED)
  return { ...entry, unchanged: siblings.map(toContent) }
}

const toHistoryEntry = (change: ChangeRow, items: ItemRow[], scope: RecordScope) => ({
  id: change.id,
  source: change.source,
  status: change.status,
  actor: { id: change.actor_id, name: change.actor_name, kind: change.actor_kind },
  ...toProvenance(change),
  operationId: change.operation_id,
  changeRequestId: change.change_request_id,
  requestedBy: change.requested_by,
  emergencyReason: seesAllRecords(scope) ? change.emergency_reason : null,
  createdAt: change.created_at.toISOString(),
  settledAt: change.settled_at?.toISOString() ?? null,
  itemCount: change.item_count,
  items: items.map((item) => ({
    action: item.action,
    recordId: item.record_id,
    // When a record was moved, the caller may see only one side.
    before: item.before && seesRecord(scope, item.before) ? toContent(item.before) : null,
    after: item.after && seesRecord(scope, item.after) ? toContent(item.after) : null,
    outcome: item.outcome,
    error: item.error,
    errorCode: item.error_code,
  })),
})
