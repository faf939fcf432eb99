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
import type { Executor } from '../../../db/connection/connect.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { RecordContext } from '../context.ts'
import { toScheduledEntry } from '../scheduled/mapper.ts'
import { findScheduled, listScheduled } from '../scheduled/queries.ts'
import { ownersIn } from '../plan/input.ts'
import { toContent } from '../list/mapper.ts'
import {
  countChanges,
  findChange,
  itemsOf,
  listChanges,
  type ChangeFilter,
  type ChangeRow,
  type ItemRow,
} from './history-queries.ts'
import { laterOf, type LaterRow } from './later-queries.ts'
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
  status?: ChangeFilter['status'] | 'scheduled' | 'cancelled'
}

/** Returns the changes of a domain, newest first, filtered by name, type, actor, token, origin, time or status. */
export async function readHistory(
  { db }: RecordContext,
  caller: Caller,
  domainId: string,
  { page, limit, cursor, ...asked }: HistoryQuery,
) {
  const domain = await requireDomain(db, caller, domainId, 'read')
  const scope = recordScopeOf(domain, caller)
  const { status } = asked
  if (status === 'scheduled' || status === 'cancelled')
    return readScheduled(db, domainId, scope, { status, page, limit })
  const filter = { ...toFilter(asked, domain.name), ...(status !== undefined && { status }) }
  const list: CursorList = { list: 'changes', parent: domainId, query: asked }
  const after = cursor === undefined ? null : positionOf(cursor, list, isPosition)
  const [changes, total] = await Promise.all([
    listChanges(db, domainId, scope, filter, { limit, offset: after ? 0 : (page - 1) * limit, after }),
    countChanges(db, domainId, scope, filter),
  ])
  const ids = changes.map(({ id }) => id)
  const [items, later] = await Promise.all([itemsOf(db, ids, scope, SHOWN_ITEMS), laterOf(db, ids)])
  const last = changes.length === limit ? changes.at(-1) : undefined
  const byChange = Map.groupBy(items, (item) => item.change_id)
  return {
    changes: changes.map((change) =>
      toHistoryEntry(change, byChange.get(change.id) ?? [], scope, later.get(change.id)),
    ),
    total,
    page,
    limit,
    nextCursor: last ? cursorAt(list, { value: last.seq, id: last.id }) : null,
  }
}

/** Changes that wait for their time, or did until they were cancelled, as far as the caller sees them. */
async function readScheduled(
  db: Executor,
  domainId: string,
  scope: RecordScope,
  { status, page, limit }: { status: 'scheduled' | 'cancelled'; page: number; limit: number },
) {
  const rows = await listScheduled(db, domainId, status)
  const seen = rows
    .map((row) => toScheduledEntry(row, scope, SHOWN_ITEMS))
    .filter(({ itemCount }) => itemCount > 0)
  const changes = seen.slice((page - 1) * limit, page * limit)
  return { changes, total: seen.length, page, limit, nextCursor: null }
}

const isPosition = (value: string | null) => value !== null && /^\d{1,18}$/.test(value)

const toFilter = (
  { name, type, actor, token, origin, from, to }: Omit<HistoryQuery, 'page' | 'limit' | 'cursor' | 'status'>,
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
  if (!change) {
    const waiting = await findScheduled(db, domainId, changeId)
    const entry = waiting && toScheduledEntry(waiting, scope)
    if (!entry || entry.itemCount === 0) throw notFound('change', changeId)
    return entry
  }
  const later = (await laterOf(db, [changeId])).get(changeId)
  const entry = toHistoryEntry(change, await itemsOf(db, [changeId], scope, MAX_ITEMS), scope, later)
  if (!unchanged) return entry
  const sets = new Map(
    entry.items
      .flatMap(({ before, after }) => [before, after].filter((side) => side !== null))
      .map(({ name, recordType: type }) => [`${name} ${type}`, { name, type }]),
  )
  const siblings = await siblingsThen(db, change, [...sets.values()].slice(0, MAX_SETS), MAX_UNCHANGED)
  return { ...entry, unchanged: siblings.map(toContent) }
}

/** A change as the API returns it. */
export const toHistoryEntry = (
  change: ChangeRow,
  items: ItemRow[],
  scope: RecordScope,
  later?: LaterRow,
) => ({
  id: change.id,
  source: change.source,
  status: change.status,
  actor: { id: change.actor_id, name: change.actor_name, kind: change.actor_kind },
  ...toProvenance(change),
  operationId: change.operation_id,
  changeRequestId: change.change_request_id,
  requestedBy: change.requested_by,
  emergencyReason: seesAllRecords(scope) ? change.emergency_reason : null,
  applyAt: later?.apply_at?.toISOString() ?? null,
  confirmWithin: later?.minutes ?? null,
  confirmation: later?.status ? toConfirmation(later, scope) : null,
  revertOf: later?.revert_of ?? null,
  problem: seesAllRecords(scope) ? ((later?.problem ?? null) as Problem | null) : null,
  changedOutside: change.changed_outside || change.source === 'enforce',
  createdAt: change.created_at.toISOString(),
  settledAt: change.settled_at?.toISOString() ?? null,
  itemCount: change.item_count,
  items: items.map((item) => ({
    // A record that was deleted at the provider, and put back.
    action: item.action === 'update' && item.before === null ? 'create' : item.action,
    recordId: item.record_id,
    // When a record was moved, the caller may see only one side.
    before: item.before && seesRecord(scope, item.before) ? toContent(item.before) : null,
    after: item.after && seesRecord(scope, item.after) ? toContent(item.after) : null,
    outcome: item.outcome,
    error: item.error,
    errorCode: item.error_code,
  })),
})

const toConfirmation = (later: LaterRow, scope: RecordScope) => ({
  status: later.status ?? 'waiting',
  confirmBy: later.confirm_by?.toISOString() ?? null,
  confirmedBy: later.decided_by_name ?? null,
  endedAt: later.ended_at?.toISOString() ?? null,
  revertChangeId: later.revert_change_id ?? null,
  leftAlone: (later.left_alone ?? [])
    .map(({ type, ...left }) => ({ ...left, type: type as RecordType }))
    .filter((left) => seesRecord(scope, left))
    .map(({ name, type, value }) => ({ name, recordType: type, value })),
})
