import type { Caller } from '../../../plugins/access/index.ts'
import { conflict, invalid } from '../../../plugins/errors.ts'
import type { RecordContext } from '../apply.ts'
import { draftDomains } from '../many-domains/draft.ts'
import { applyDomainsPlan, keepDomainsPlan } from '../many-domains/kept.ts'
import { findPlan, type PlanRow } from '../many-domains/plan-queries.ts'
import {
  findChangedSince,
  findDoneDomains,
  findDoneItems,
  type ChangedRecord,
  type DoneItem,
} from './queries.ts'
import { requestsToUndo } from './undoing.ts'

interface Undo {
  dryRun: boolean
  /** Domains of the plan in one answer. */
  limit: number
  /** Of an undo that was planned; missing: it is planned now. */
  planId?: string | undefined
}

/**
 * Undoes what an operation did, in all of its domains but what was changed since: with `dryRun` the plan, which is kept,
 * else as an operation itself. 409 where nothing is left to undo.
 */
export async function undoOperation(
  context: RecordContext,
  caller: Caller,
  operationId: string,
  { dryRun, limit, planId }: Undo,
) {
  if (dryRun && planId !== undefined) {
    throw invalid({
      path: '/planId',
      code: 'beside_dry_run',
      message: 'is of a plan to apply, which dryRun does not',
    })
  }
  const { id, outcome } = await context.operations.require(caller, operationId)
  if (outcome === null) {
    throw conflict('This operation has not ended yet', { reason: 'change_unsettled' })
  }
  if (planId !== undefined) {
    const kept = await findPlan(context.db, caller, planId)
    if (kept?.undoes_operation_id === id && kept.operation_id === null) requireSomething(kept.totals)
    return applyDomainsPlan(context, caller, 'revert', planId, id)
  }
  const plan = await planUndo(context, caller, id, limit)
  if (dryRun) return plan
  requireSomething(plan.totals)
  return applyDomainsPlan(context, caller, 'revert', plan.planId, id)
}

function requireSomething({ changedDomains, blocked, hidden = 0 }: PlanRow['totals']): void {
  if (changedDomains + blocked + hidden > 0) return
  throw conflict('Nothing is left to undo of this operation', { reason: 'nothing_to_undo' })
}

async function planUndo(context: RecordContext, caller: Caller, operationId: string, limit: number) {
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
    askedIn: ({ scope }, { id }, current) => {
      const done = domains.get(id)
      return done ? requestsToUndo(done, scope, current) : { requests: [] }
    },
  })
  const hidden = domains.size - plans.length
  return keepDomainsPlan(context, caller, 'revert', plans, limit, { undoes: operationId, hidden })
}

function namesOf(items: readonly DoneItem[]): string[] {
  const names = items.flatMap(({ before, after, current_name }) => [before?.name, after?.name, current_name])
  return [...new Set(names.filter((name) => typeof name === 'string'))]
}
