import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { AppError, conflict, problemOf, unavailable } from '../../../plugins/http/errors.ts'
import { levelOf } from '../../../plugins/http/logging.ts'
import { inParallel } from '../../../plugins/work/in-parallel.ts'
import type { OperationRun } from '../../operations/contract.ts'
import { providerFailure } from '../../providers/errors.ts'
import { applyChanges } from '../apply/apply.ts'
import { findToRevert, startClocks } from '../confirmation/queries.ts'
import { settleReverts } from '../confirmation/take-back.ts'
import type { Later } from '../../../schemas/records/later.ts'
import type { RecordContext } from '../context.ts'
import { scheduleChanges } from '../scheduled/schedule.ts'
import {
  countEnds,
  noteEnd,
  noteNothingToDo,
  notePlannedChange,
  readOpen,
  type NewPlan,
  type OpenRow,
} from './plan-queries.ts'

/** Outcomes of domains that are, or will be, changed as planned. */
const AS_PLANNED: ReadonlySet<string> = new Set(['applied', 'unchanged', 'scheduled'])

/** Domains changed at the same time. */
const PARALLEL = 4

/** The contexts to change domains with. */
export interface Contexts {
  /** For each of several domains: little time at its provider, because the others wait. */
  ofMany: RecordContext
  alone: RecordContext
}

interface Work {
  context: RecordContext
  caller: Caller
  kind: NewPlan['kind']
  planId: string
  run: OperationRun
  later: Later
}

/**
 * Applies a plan domain by domain, each as a separate change that can be reverted separately. Domains don't
 * depend on each other. If called again after a crash, continues with the domains that were not begun; begun
 * changes are reconciled like any other.
 */
export async function runDomainsPlan(
  { ofMany, alone }: Contexts,
  caller: Caller,
  kind: NewPlan['kind'],
  planId: string,
  run: OperationRun,
  later: Later = {},
) {
  await noteNothingToDo(ofMany.db, planId)
  // What is reverted now may have just been applied.
  if (kind === 'revert') await startClocks(ofMany.db)
  const rows = await readOpen(ofMany.db, planId)
  const context = rows.length === 1 ? alone : ofMany
  const shared = { context, caller, kind, planId, run, later }
  let { done } = await countEnds(context.db, planId)
  run.progress(done)
  await inParallel(rows, PARALLEL, async (row) => {
    if (run.stopping.aborted) return
    const changed = await changeDomain(shared, row)
    done += changed
    run.progress(done)
  })
  if (run.stopping.aborted) throw unavailable('The service stopped before all domains were changed')

  const { outcomes, isOnlyBlocked } = await countEnds(context.db, planId)
  const missed = Object.entries(outcomes).filter(([outcome]) => !AS_PLANNED.has(outcome))
  if (missed.length === 0) return { planId, outcomes }
  const said = missed.map(([outcome, count]) => `${count} ${outcome}`).join(', ')
  throw conflict(`Not all domains were changed as planned: ${said}; read the plan for details`, {
    reason: isOnlyBlocked ? 'records_blocked' : 'not_all_as_planned',
    planId,
    outcomes,
  })
}

/** Returns the number of changed records. */
async function changeDomain(
  { context, caller, kind, planId, run, later }: Work,
  row: OpenRow,
): Promise<number> {
  const place = { planId, position: row.position }
  try {
    const reverts =
      kind === 'revert' ? (await findToRevert(context.db, planId, row.domain_id))?.change_id : undefined
    const intent = {
      kind: 'kept',
      planId: null,
      source: kind,
      verbatim: kind === 'revert',
      requests: row.requests,
      ...(reverts !== undefined && { reverts }),
      expected: { recordsVersion: row.records_version, providerConfigId: row.provider_config_id },
    } as const
    const { applyAt, confirmWithin } = later
    if (applyAt !== undefined) {
      const { operationId } = run
      const note = async (trx: Executor, changeId: string) => {
        await notePlannedChange(trx, place, changeId)
        await noteEnd(trx, place, { outcome: 'scheduled', problem: null })
      }
      await scheduleChanges(context, caller, row.domain_id, intent, {
        applyAt,
        confirmWithin,
        operationId,
        note,
      })
      return row.requests.length
    }
    const ofDomain = {
      ...run,
      progress: () => undefined,
      opens: async (trx: Executor, changeId: string) => {
        await notePlannedChange(trx, place, changeId)
      },
    }
    const applied = await applyChanges(context, caller, row.domain_id, intent, {
      run: ofDomain,
      confirmWithin,
    })
    if (reverts !== undefined) await settleReverts(context, reverts)
    const problem = applied.failure && problemFor(context, providerFailure(applied.failure), caller)
    const outcome = applied.changeId === null ? 'unchanged' : null
    if (problem || outcome) await noteEnd(context.db, place, { outcome, problem })
    return applied.outcomes.filter(({ outcome }) => outcome === 'applied').length
  } catch (error) {
    const problem = problemFor(context, error, caller)
    // Without the database, the operation is repeated and continues here.
    if (problem.code === 'unavailable') throw error
    const outcome = problem.code === 'plan_outdated' ? 'outdated' : 'refused'
    await noteEnd(context.db, place, { outcome, problem })
    return 0
  }
}

function problemFor({ log }: RecordContext, error: unknown, { requestId }: Caller) {
  if (!(error instanceof AppError)) log[levelOf(error)]({ err: error }, 'domain of a plan not changed')
  return problemOf(error as Error, { id: requestId })
}
