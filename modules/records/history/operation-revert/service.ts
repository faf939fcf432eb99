import type { Caller } from '../../../../plugins/security/access/index.ts'
import { conflict, invalid } from '../../../../plugins/http/errors.ts'
import type { RecordContext } from '../../context.ts'
import { draftDomains } from '../../bulk/draft.ts'
import { beginDomainsPlan, keepDomainsPlan } from '../../bulk/kept.ts'
import { findPlan, type PlanRow } from '../../bulk/plan-queries.ts'
import {
  findChangedSince,
  findDoneDomains,
  findDoneItems,
  type ChangedRecord,
  type DoneItem,
} from './queries.ts'
import { requestsToRevert } from './requests.ts'

interface RevertOptions {
  dryRun: boolean
  /** Domains of the plan in one answer. */
  limit: number
  /** A kept plan to apply; omitted: plan and apply at once. */
  planId?: string | undefined
}

/**
 * Reverts the changes of an operation in all of its domains, except RRsets that were changed since then. Returns the kept
 * plan with `dryRun`, else the operation that applies it. Rejects with 409 when nothing is left to revert.
 */
export async function revertOperation(
  context: RecordContext,
  caller: Caller,
  operationId: string,
  { dryRun, limit, planId }: RevertOptions,
) {
  if (dryRun && planId !== undefined) {
    throw invalid({
      path: '/planId',
      code: 'beside_dry_run',
      message: 'cannot be combined with dryRun, which applies no plan',
    })
  }
  const { id, outcome } = await context.operations.require(caller, operationId)
  if (outcome === null) {
    throw conflict('This operation is still running; revert it when it has ended', {
      reason: 'change_unsettled',
    })
  }
  if (planId !== undefined) {
    const kept = await findPlan(context.db, caller, planId)
    if (kept?.undoes_operation_id === id && kept.operation_id === null) requireSomething(kept.totals)
    return beginDomainsPlan(context, caller, 'revert', planId, { undoes: id })
  }
  const plan = await planRevert(context, caller, id, limit)
  if (dryRun) return plan
  requireSomething(plan.totals)
  return beginDomainsPlan(context, caller, 'revert', plan.planId, { undoes: id })
}

function requireSomething({ changedDomains, blocked, hidden = 0 }: PlanRow['totals']): void {
  if (changedDomains + blocked + hidden > 0) return
  throw conflict('Nothing is left to revert: the changes of this operation are no longer in place', {
    reason: 'nothing_to_undo',
  })
}

async function planRevert(context: RecordContext, caller: Caller, operationId: string, limit: number) {
  const { db } = context
  const domains = new Map(
    (await findDoneDomains(db, operationId)).map((domain) => [
      domain.domain_id,
      { ...domain, items: [] as DoneItem[], since: [] as ChangedRecord[] },
    ]),
  )
  const plans = await draftDomains(context, caller, [...domains.keys()], {
    together: false,
    verbatim: true,
    read: async (ids) => {
      const items = await findDoneItems(db, operationId, ids)
      for (const item of items) domains.get(item.domain_id)?.items.push(item)
      const changed = await findChangedSince(db, operationId, ids)
      for (const record of changed) domains.get(record.domain_id)?.since.push(record)
    },
    namesIn: ({ id }) => namesOf(domains.get(id)?.items ?? []),
    requestsIn: ({ scope }, { id }, current) => {
      const done = domains.get(id)
      return done ? requestsToRevert(done, scope, current) : { requests: [] }
    },
  })
  const hidden = domains.size - plans.length
  return keepDomainsPlan(context, caller, 'revert', plans, limit, { undoes: operationId, hidden })
}

function namesOf(items: readonly DoneItem[]): string[] {
  const names = items.flatMap(({ before, after, current_name }) => [before?.name, after?.name, current_name])
  return [...new Set(names.filter((name) => typeof name === 'string'))]
}
