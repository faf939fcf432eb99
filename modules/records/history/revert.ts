import type { Executor } from '../../../db/connection/connect.ts'
import { memberKey } from '../../../dns/names/rrset.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict, invalid, notFound } from '../../../plugins/http/errors.ts'
import { keptSince } from '../../../plugins/retention/deletion.ts'
import { recordScopeOf, requireDomain } from '../../domains/access/access.ts'
import type { OperationRun } from '../../operations/contract.ts'
import { showPlan, submitChanges } from '../apply/submit.ts'
import type { Later } from '../../../schemas/records/later.ts'
import type { RecordContext } from '../context.ts'
import { recordsOfNames } from '../list/queries.ts'
import { settleReverts } from '../confirmation/take-back.ts'
import type { RequestedChange } from '../plan/change.ts'
import { findChange, isSwitchedSince, isSwitchedSinceChange, itemsNow, statesAt } from './history-queries.ts'
import { describeItem, isEqual, toRequest, withinScope, withoutReplaced } from './states.ts'

/** Most changes of one restore: as many as an import. */
const MAX_RESTORED = 20_000

interface PastChange {
  changeId: string
  /** Only plans. */
  dryRun: boolean
  /** Only plans, and keeps the plan. */
  keep?: boolean
}

/**
 * Reverts the applied items of a change that the caller sees. Rejects with 409 when a record was changed since. A large
 * revert continues as an operation, which calls this again with its `run`.
 */
export async function revertChange(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  input: PastChange,
  run?: OperationRun,
) {
  const { items, isForeign } = await readPast(context.db, caller, domainId, input, 'applied')
  const differing = items.find(({ current, after }) => !isEqual(current, after))
  if (differing) throw changedSince(differing, 'revert the newer change first')
  const requests = items.flatMap(({ record_id, before, current }) =>
    toRequest(record_id, current, before, isForeign),
  )
  const { changeId: reverts } = input
  const reverted = await planOrApply(
    context,
    caller,
    domainId,
    { source: 'revert', requests, reverts },
    input,
    run,
  )
  await settleReverts(context, reverts)
  return reverted
}

/**
 * Applies the failed items of a change that the caller sees, except those that are as wanted by now. Rejects with 409 when
 * a record was changed in another way since. A large retry continues as an operation, which calls this again with its `run`.
 */
export async function retryChange(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  input: PastChange,
  run?: OperationRun,
) {
  const { db } = context
  const { items, isForeign } = await readPast(db, caller, domainId, input, 'failed')
  const names = items.flatMap(({ after }) => after?.name ?? [])
  const here = new Set((await recordsOfNames(db, domainId, [...new Set(names)])).map(memberKey))
  const isDone = ({ current, after }: (typeof items)[number]) =>
    isEqual(current, after) || (current === null && after !== null && here.has(memberKey(after)))
  const left = items.filter((item) => !isDone(item))
  const differing = left.find(({ current, before }) => !isEqual(current, before))
  if (differing) throw changedSince(differing, 'make the change again based on the current record')
  const requests = left.flatMap(({ record_id, current, after }) =>
    toRequest(record_id, current, after, isForeign),
  )
  return planOrApply(context, caller, domainId, { source: 'retry', requests }, input, run)
}

/** The items with that outcome which the caller sees. `isForeign`: another provider served them. Rejects while pending. */
async function readPast(
  db: Executor,
  caller: Caller,
  domainId: string,
  { changeId, dryRun, keep = false }: PastChange,
  outcome: 'applied' | 'failed',
) {
  const domain = await requireDomain(db, caller, domainId, dryRun || keep ? 'read' : 'write')
  const scope = recordScopeOf(domain, caller)
  const change = await findChange(db, domainId, scope, changeId)
  if (!change) throw notFound('change', changeId)
  if (change.status === 'pending')
    throw conflict('This change is still pending; try again when it has an outcome', {
      reason: 'change_unsettled',
    })
  const all = await itemsNow(db, changeId, outcome)
  const items = withinScope(all, scope, ({ before, after }) => [before, after])
  return { items, isForeign: await isSwitchedSinceChange(db, change) }
}

function changedSince(item: Parameters<typeof describeItem>[0], advice: string) {
  const what = describeItem(item)
  return conflict(`${what} was changed since; ${advice}`, { reason: 'changed_since', params: { what } })
}

/** Plans the requests, or applies them. The operation of a large change gets `input` without `dryRun` and `keep`. */
function planOrApply(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  change: { source: 'revert' | 'retry' | 'restore'; requests: RequestedChange[]; reverts?: string },
  { dryRun, keep = false, applyAt, confirmWithin, ...input }: Asked,
  run?: OperationRun,
) {
  const intent = { kind: 'requests', verbatim: true, ...change } as const
  if (dryRun || keep) return showPlan(context, caller, domainId, intent, keep)
  return submitChanges(context, caller, domainId, intent, { input, run, applyAt, confirmWithin })
}

interface Asked extends Partial<PastChange>, Later {
  dryRun: boolean
  at?: string
}

/** Plans to restore the records to a point in time, and with `apply` does it, or begins the operation that does. */
export async function restoreRecords(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { at, apply, keep = false, ...later }: { at: string; apply: boolean; keep?: boolean } & Later,
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
  // Asked afterwards: what is deleted meanwhile was announced before.
  const kept = await keptSince(context.db, 'history')
  if (kept !== null && moment < kept)
    throw invalid({
      path: '/at',
      code: 'before_history',
      message: `is before ${kept.toISOString()}; the history until then was exported and deleted (HISTORY_MONTHS)`,
    })
  const requests = withoutReplaced(states)
    .filter(({ before, current }) => !isEqual(before, current))
    .flatMap(({ record_id, before, current }) => toRequest(record_id, current, before, isForeign))
  if (requests.length > MAX_RESTORED) {
    const message = `would take more than ${MAX_RESTORED} changes; choose a later time`
    throw invalid({ path: '/at', code: 'too_many_changes', message })
  }
  return planOrApply(
    context,
    caller,
    domainId,
    { source: 'restore', requests },
    { at, dryRun: !apply, keep, ...later },
    run,
  )
}
