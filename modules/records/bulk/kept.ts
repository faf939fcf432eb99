import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller, Principal } from '../../../plugins/security/access/index.ts'
import { cursorAt, positionOf, type CursorList } from '../../../plugins/page-cursor.ts'
import { conflict, notFound, problemOf } from '../../../plugins/http/errors.ts'
import type { Problem } from '../../../schemas/problem.ts'
import { recordScopeOf, sightOf } from '../../domains/access/access.ts'
import type { Later } from '../../../schemas/records/later.ts'
import type { RecordContext } from '../context.ts'
import { requireAhead } from '../scheduled/schedule.ts'
import { planApplied } from '../kept-plans/service.ts'
import type { Step } from '../plan/change.ts'
import { effectOf } from '../plan/plan-mapper.ts'
import { findPlan, insertPlan, readPlanned, takePlan, type NewPlan, type PlannedRow } from './plan-queries.ts'
import type { DomainPlan, Shown, Totals } from './planned.ts'

/** Most changes, blocked records and warnings that are kept of one domain. */
const SHOWN = 100

/**
 * Keeps a plan over many domains and returns its first page. Each domain has a row with its outcome, so an operation that
 * another instance continues does what is left.
 */
export async function keepDomainsPlan(
  { db }: Pick<RecordContext, 'db'>,
  principal: Principal,
  kind: NewPlan['kind'],
  plans: DomainPlan[],
  limit: number,
  { undoes = null, hidden = 0 }: { undoes?: string | null; hidden?: number } = {},
) {
  const id = uuidv7()
  // Domains without changes, blocked records and warnings are not kept.
  const told = plans.filter(
    ({ steps, blocked, warnings }) => steps.length > 0 || blocked.length > 0 || warnings.length > 0,
  )
  const totals = { ...totalsOf(plans), hidden }
  await insertPlan(db, principal, { id, kind, undoes, totals, domains: told.map(toRow) })
  return readDomainsPlan(db, principal, id, { limit })
}

const of = (steps: Step[], action: Step['action']) => steps.filter((step) => step.action === action).length

const countsOf = ({ steps, blocked }: Pick<DomainPlan, 'steps' | 'blocked'>) => ({
  creates: of(steps, 'create'),
  updates: of(steps, 'update'),
  deletes: of(steps, 'delete'),
  blocked: blocked.length,
})

const totalsOf = (plans: DomainPlan[]): Omit<Totals, 'hidden'> => ({
  domains: plans.length,
  changedDomains: plans.filter(({ steps }) => steps.length > 0).length,
  ...countsOf({
    steps: plans.flatMap(({ steps }) => steps),
    blocked: plans.flatMap(({ blocked }) => blocked),
  }),
})

const toRow = (plan: DomainPlan): NewPlan['domains'][number] => ({
  domain_id: plan.domain.id,
  sight: plan.sight,
  records_version: plan.domain.record_version,
  provider_config_id: plan.domain.provider_config_id,
  requests: plan.requests,
  steps: plan.steps.length,
  shown: {
    counts: countsOf(plan),
    changes: plan.steps.slice(0, SHOWN).map((step) => ({ action: step.action, ...effectOf(step) })),
    blocked: plan.blocked.slice(0, SHOWN),
    warnings: plan.warnings.slice(0, SHOWN),
  },
})

/** Returns a page of a plan of the caller, with the outcome of each domain if it was applied. */
export async function readDomainsPlan(
  db: RecordContext['db'],
  principal: Principal,
  id: string,
  { limit, cursor }: { limit: number; cursor?: string },
) {
  const plan = await findPlan(db, principal, id)
  if (!plan) throw notFound('plan', id)
  const list: CursorList = { list: 'plan', parent: plan.id, query: {} }
  const after = cursor === undefined ? -1 : Number(positionOf(cursor, list, isPosition).value)
  const rows = await readPlanned(db, principal, id, { after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    planId: plan.id,
    kind: plan.kind,
    planExpiresAt: plan.expires_at.toISOString(),
    operationId: plan.operation_id,
    undoesOperationId: plan.undoes_operation_id,
    // Older plans lack it.
    totals: { ...plan.totals, hidden: plan.totals.hidden ?? 0 },
    domains: page.map((row) => toPlannedDomain(plan.id, row, principal)),
    nextCursor: last ? cursorAt(list, { value: String(last.position), id: last.domain_id }) : null,
  }
}

/** Whether a cursor holds the position of a domain in the plan. */
const isPosition = (value: string | null) => value !== null && /^\d{1,6}$/.test(value)

const NOTHING: Shown = {
  counts: countsOf({ steps: [], blocked: [] }),
  changes: [],
  blocked: [],
  warnings: [],
}

/** Callers whose scope has changed since do not see the records. */
function toPlannedDomain(planId: string, row: PlannedRow, principal: Principal) {
  const isSame = sightOf(recordScopeOf(row, principal)) === row.sight
  return {
    domainId: row.domain_id,
    domainName: row.domain_name,
    ...(isSame ? row.shown : NOTHING),
    outcome: row.outcome,
    changeId: row.change_id,
    problem: isSame ? (row.problem ?? blockedProblem(planId, row)) : null,
  }
}

/** Returns why a domain was not changed completely although nothing failed: names the blocked record. */
function blockedProblem(planId: string, { outcome, shown }: PlannedRow): Problem | null {
  const [first] = shown.blocked
  if (!first || (outcome !== 'blocked' && outcome !== 'partly')) return null
  const { wanted, before, detail } = first
  const record = wanted ?? before
  const named = record ? `${record.name} ${record.recordType} ${record.value}: ` : ''
  const more = shown.counts.blocked - 1
  const error = conflict(`${named}${detail}${more > 0 ? ` (and ${more} more)` : ''}`, {
    reason: 'records_blocked',
    params: { count: shown.counts.blocked },
  })
  return problemOf(error, { id: planId })
}

/** Begins the operation that applies a plan, once. `undoes`: the operation that the plan reverts. */
export async function beginDomainsPlan(
  { db, operations }: Pick<RecordContext, 'db' | 'operations'>,
  caller: Caller,
  kind: NewPlan['kind'],
  planId: string,
  { undoes = null, ...later }: Later & { undoes?: string | null } = {},
) {
  if (later.applyAt !== undefined) await requireAhead(db, later.applyAt)
  const take = async (trx: Executor, operationId: string) => {
    const taken = await takePlan(trx, caller, { id: planId, kind, operationId, undoes })
    if (!taken) throw await whyNotTaken(trx, caller, planId)
    return taken.steps
  }
  return {
    operation: await operations.begin({
      kind,
      domain: null,
      caller,
      input: { planId, ...later },
      total: 0,
      take,
    }),
  }
}

async function whyNotTaken(db: Executor, caller: Caller, planId: string) {
  const plan = await findPlan(db, caller, planId)
  if (!plan || plan.operation_id === null) return notFound('plan that you can apply here', planId)
  return planApplied({ operationId: plan.operation_id })
}
