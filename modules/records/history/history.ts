import type { Caller } from '../../../plugins/security/access/index.ts'
import { toProvenance, type Origin } from '../../../schemas/origin.ts'
import { conflict, forbidden, invalid, notFound } from '../../../plugins/http/errors.ts'
import { cursorAt, positionOf, type CursorList } from '../../../plugins/page-cursor.ts'
import { recordScopeOf, requireDomain, seesRecord, type RecordScope } from '../../domains/access/access.ts'
import type { OperationRun } from '../../operations/contract.ts'
import type { RecordContext } from '../apply/apply.ts'
import type { RequestedChange, RecordContent } from '../plan/change.ts'
import {
  appliedItems,
  countChanges,
  findChange,
  isSwitchedSince,
  isSwitchedSinceChange,
  itemsOf,
  listChanges,
  statesAt,
  type ChangeRow,
  type ItemRow,
} from './history-queries.ts'
import { ownersIn } from '../plan/input.ts'
import { toContent } from '../plan/plan-mapper.ts'
import { applyVerbatim, preview, repeatedPlan } from '../apply/plans.ts'
import { siblingsThen } from './sibling-queries.ts'

/** Items of a change that a list shows. */
const SHOWN_ITEMS = 100

/** Items of one change that are shown with it alone. */
const MAX_ITEMS = 10_000

/** Changes that one restore may consist of: as many as an import. */
const MAX_RESTORED = 20_000

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

/** Who changed what when, newest first; those of a name, a type, a person or a time alone where that is asked for. */
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
  const after = cursor === undefined ? null : positionOf(cursor, list, isPlace)
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

/** A place in the order of changes. */
const isPlace = (value: string | null) => value !== null && /^\d{1,18}$/.test(value)

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

/** Names and types of a change of which is told what stayed, and how many records of them. */
const MAX_SETS = 200
const MAX_UNCHANGED = 1_000

/** One change; with `unchanged` also the records beside its own that stayed as they were of the same names and types. */
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

/**
 * Undoes what a change did, as far as the caller sees it and nothing newer stands against it: then it is a
 * 409 that says what. With `dryRun` only the plan to do so, with `keep` to be applied by its id. Much of it goes on as an operation, whose work this is
 * again, with its `run`.
 */
export async function revertChange(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  changeId: string,
  { dryRun, keep = false }: { dryRun: boolean; keep?: boolean },
  run?: OperationRun,
) {
  const domain = await requireDomain(context.db, caller, domainId, dryRun || keep ? 'read' : 'write')
  const done = await repeatedPlan(context, caller, domainId)
  if (done) return done
  const scope = recordScopeOf(domain, caller)
  const change = await findChange(context.db, domainId, scope, changeId)
  if (!change) throw notFound('change', changeId)
  if (change.status === 'pending')
    throw conflict('This change is not settled yet', { reason: 'change_unsettled' })
  const items = withinScope(await appliedItems(context.db, changeId), scope, ({ before, after }) => [
    before,
    after,
  ])
  const differing = items.find(({ current, after }) => !isEqual(current, after))
  if (differing) {
    throw conflict(`${describeItem(differing)} was changed since; revert the newer change first`, {
      reason: 'changed_since',
      params: { what: describeItem(differing) },
    })
  }
  const isForeign = await isSwitchedSinceChange(context.db, change)
  const requests = items.flatMap(({ record_id, before, current }) =>
    toRequest(record_id, current, before, isForeign),
  )
  if (dryRun || keep) return preview(context, caller, domainId, { source: 'revert', requests }, keep)
  return applyVerbatim(context, { kind: 'revert', caller, domain, input: { changeId }, run }, requests)
}

/** Back to how the records were at a moment: the plan, or with `apply` the deed, which may be an operation as well. */
export async function restoreRecords(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { at, apply, keep = false }: { at: string; apply: boolean; keep?: boolean },
  run?: OperationRun,
) {
  const moment = new Date(at)
  if (moment.getTime() > Date.now())
    throw invalid({ path: '/at', code: 'in_future', message: 'is in the future' })
  const domain = await requireDomain(context.db, caller, domainId, apply && !keep ? 'write' : 'read')
  if (moment < domain.created_at) {
    throw invalid({
      path: '/at',
      code: 'before_registration',
      message: `is before the domain was registered (${domain.created_at.toISOString()})`,
    })
  }
  const scope = recordScopeOf(domain, caller)
  const states = withinScope(await statesAt(context.db, domainId, moment), scope, ({ before, current }) => [
    before,
    current,
  ])
  const isForeign = await isSwitchedSince(context.db, domainId, moment)
  const requests = withoutReplaced(states)
    .filter(({ before, current }) => !isEqual(before, current))
    .flatMap(({ record_id, before, current }) => toRequest(record_id, current, before, isForeign))
  if (requests.length > MAX_RESTORED) {
    const message = `is more than ${MAX_RESTORED} changes ago`
    throw invalid({ path: '/at', code: 'too_many_changes', message })
  }
  if (!apply || keep) return preview(context, caller, domainId, { source: 'restore', requests }, keep)
  return applyVerbatim(context, { kind: 'restore', caller, domain, input: { at }, run }, requests)
}

export interface StateThen {
  record_id: string
  before: RecordContent | null
  current: RecordContent | null
}

/**
 * Those of which the caller sees the names. A record that went from a name that they see to one that they
 * don't, or came from there, is not theirs to move back.
 */
export function withinScope<T>(
  items: T[],
  scope: RecordScope,
  contents: (item: T) => (RecordContent | null)[],
): T[] {
  return items.filter((item) => {
    const seen = new Set(contents(item).flatMap((content) => (content ? [seesRecord(scope, content)] : [])))
    if (seen.size > 1) throw crossesBorder()
    return !seen.has(false)
  })
}

const crossesBorder = () =>
  forbidden('A record was moved across the border of what you see; only who sees both sides may undo that')

/** A record that was deleted and made again has two identities; the pair of them is no difference. */
export function withoutReplaced(states: StateThen[]): StateThen[] {
  const gone = new Map(
    states
      .filter(({ before, current }) => before && !current)
      .map((state) => [JSON.stringify(toContent(state.before as RecordContent)), state]),
  )
  const dropped = new Set<StateThen>()
  for (const state of states.filter(({ before, current }) => !before && current)) {
    const twin = gone.get(JSON.stringify(toContent(state.current as RecordContent)))
    if (twin && !dropped.has(twin)) dropped.add(twin).add(state)
  }
  return states.filter((state) => !dropped.has(state))
}

/** What turns the record as it is into what it shall be. `isForeign`: it was so at another provider. */
export function toRequest(
  recordId: string,
  current: RecordContent | null,
  wanted: RecordContent | null,
  isForeign: boolean,
): RequestedChange[] {
  if (!wanted) return current ? [{ action: 'delete', recordId }] : []
  const { type: recordType, extra, ...said } = wanted
  const fields = isForeign ? said : { ...said, extra }
  if (!current) return [{ action: 'create', recordType, ...fields }]
  return [{ action: 'update', recordId, recordType, ...fields }]
}

export const isEqual = (a: RecordContent | null, b: RecordContent | null) =>
  a === b || (a !== null && b !== null && JSON.stringify(toContent(a)) === JSON.stringify(toContent(b)))

export const describeItem = ({
  before,
  after,
}: {
  before: RecordContent | null
  after: RecordContent | null
}) => {
  const { name, type, value } = (after ?? before) as RecordContent
  return `${name} ${type} ${value.slice(0, 60)}`
}

const toHistoryEntry = (change: ChangeRow, items: ItemRow[], scope: RecordScope) => ({
  id: change.id,
  source: change.source,
  status: change.status,
  actor: { id: change.actor_id, name: change.actor_name, kind: change.actor_kind },
  ...toProvenance(change),
  operationId: change.operation_id,
  createdAt: change.created_at.toISOString(),
  settledAt: change.settled_at?.toISOString() ?? null,
  itemCount: change.item_count,
  items: items.map((item) => ({
    action: item.action,
    recordId: item.record_id,
    // Of a record that was moved, the side that is not theirs stays hidden.
    before: item.before && seesRecord(scope, item.before) ? toContent(item.before) : null,
    after: item.after && seesRecord(scope, item.after) ? toContent(item.after) : null,
    outcome: item.outcome,
    error: item.error,
    errorCode: item.error_code,
  })),
})
