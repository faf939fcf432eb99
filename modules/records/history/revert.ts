import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict, invalid, notFound } from '../../../plugins/http/errors.ts'
import { recordScopeOf, requireDomain } from '../../domains/access/access.ts'
import type { OperationRun } from '../../operations/contract.ts'
import { showPlan, submitChanges } from '../apply/submit.ts'
import type { RecordContext } from '../context.ts'
import {
  appliedItems,
  findChange,
  isSwitchedSince,
  isSwitchedSinceChange,
  statesAt,
} from './history-queries.ts'
import { describeItem, isEqual, toRequest, withinScope, withoutReplaced } from './states.ts'

/** Most changes of one restore: as many as an import. */
const MAX_RESTORED = 20_000

/**
 * Reverts the applied items of a change that the caller sees. Rejects with 409 when a record was changed since. `dryRun`
 * only plans; `keep` also keeps the plan. A large revert continues as an operation, which calls this again with its `run`.
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
  const scope = recordScopeOf(domain, caller)
  const change = await findChange(context.db, domainId, scope, changeId)
  if (!change) throw notFound('change', changeId)
  if (change.status === 'pending')
    throw conflict('This change is still pending; try again when it has an outcome', {
      reason: 'change_unsettled',
    })
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
  const intent = { kind: 'requests', source: 'revert', verbatim: true, requests } as const
  if (dryRun || keep) return showPlan(context, caller, domainId, intent, keep)
  return submitChanges(context, caller, domainId, intent, { input: { changeId }, run })
}

/** Plans to restore the records to a point in time, and with `apply` does it, or begins the operation that does. */
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
    const message = `would take more than ${MAX_RESTORED} changes; choose a later time`
    throw invalid({ path: '/at', code: 'too_many_changes', message })
  }
  const intent = { kind: 'requests', source: 'restore', verbatim: true, requests } as const
  if (!apply || keep) return showPlan(context, caller, domainId, intent, keep)
  return submitChanges(context, caller, domainId, intent, { input: { at }, run })
}
