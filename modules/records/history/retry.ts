import { memberKey } from '../../../dns/names/rrset.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict, notFound } from '../../../plugins/http/errors.ts'
import { recordScopeOf, requireDomain } from '../../domains/access/access.ts'
import type { OperationRun } from '../../operations/contract.ts'
import type { RecordContext } from '../context.ts'
import { describeItem, isEqual, toRequest, withinScope } from './states.ts'
import { findChange, isSwitchedSinceChange, notAppliedItems } from './history-queries.ts'
import { showPlan, submitChanges } from '../apply/submit.ts'
import { recordsOfNames } from '../list/queries.ts'

/**
 * Applies the failed items of a change that the caller sees, except those that are as wanted by now. Rejects with 409 when
 * a record was changed in another way since. `dryRun` only plans; `keep` also keeps the plan. A large retry continues as an
 * operation, which calls this again with its `run`.
 */
export async function retryChange(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  changeId: string,
  { dryRun, keep = false }: { dryRun: boolean; keep?: boolean },
  run?: OperationRun,
) {
  const { db } = context
  const domain = await requireDomain(db, caller, domainId, dryRun || keep ? 'read' : 'write')
  const scope = recordScopeOf(domain, caller)
  const change = await findChange(db, domainId, scope, changeId)
  if (!change) throw notFound('change', changeId)
  if (change.status === 'pending')
    throw conflict('This change is still pending; try again when it has an outcome', {
      reason: 'change_unsettled',
    })
  const items = withinScope(await notAppliedItems(db, changeId), scope, ({ before, after }) => [
    before,
    after,
  ])
  const wanted = items.flatMap(({ after }) => after ?? [])
  const names = [...new Set(wanted.map(({ name }) => name))]
  const here = new Set((await recordsOfNames(db, domainId, names)).map(memberKey))
  const isDone = ({ current, after }: (typeof items)[number]) =>
    isEqual(current, after) || (current === null && after !== null && here.has(memberKey(after)))
  const left = items.filter((item) => !isDone(item))
  const differing = left.find(({ current, before }) => !isEqual(current, before))
  if (differing) {
    throw conflict(
      `${describeItem(differing)} was changed since; make the change again based on the current record`,
      {
        reason: 'changed_since',
        params: { what: describeItem(differing) },
      },
    )
  }
  const isForeign = await isSwitchedSinceChange(db, change)
  const requests = left.flatMap(({ record_id, current, after }) =>
    toRequest(record_id, current, after, isForeign),
  )
  const intent = { kind: 'requests', source: 'retry', verbatim: true, requests } as const
  if (dryRun || keep) return showPlan(context, caller, domainId, intent, keep)
  return submitChanges(context, caller, domainId, intent, { input: { changeId }, run })
}
