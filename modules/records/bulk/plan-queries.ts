import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { DomainsPlansTable } from '../../../db/tables/index.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { grantsOf, visibleTo, type Grant } from '../../domains/access/access.ts'
import type { Problem } from '../../../schemas/problem.ts'
import type { RequestedChange } from '../plan/change.ts'
import type { Shown, Totals } from './planned.ts'

/** How long a plan can be applied. */
export const KEPT_MINUTES = 60
/** How long an applied plan is kept. */
const ENDED_DAYS = 30
/** Maximum unapplied plans of a user. */
const MAX_KEPT = 10

export interface NewPlan {
  id: string
  kind: DomainsPlansTable['kind']
  /** The operation that it reverts. */
  undoes: string | null
  totals: Totals
  domains: {
    domain_id: string
    sight: string
    records_version: number
    provider_config_id: string
    requests: RequestedChange[]
    steps: number
    shown: Shown
  }[]
}

const tokenOf = ({ token }: Principal) => token?.id ?? null

/** Keeps a plan, and drops the user's oldest unapplied ones. Returns when it expires. */
export async function insertPlan(db: Executor, principal: Principal, plan: NewPlan): Promise<Date> {
  const domains = JSON.stringify(plan.domains.map((domain, position) => ({ ...domain, position })))
  const { rows } = await sql<{ expires_at: Date }>`
    with kept as (
      insert into domains_plans (id, kind, undoes_operation_id, user_id, token_id, totals, expires_at)
      values (${plan.id}, ${plan.kind}, ${plan.undoes}, ${principal.userId}, ${tokenOf(principal)},
        ${JSON.stringify(plan.totals)}, now() + make_interval(mins => ${KEPT_MINUTES}))
      returning expires_at
    ), planned as (
      insert into planned_domains (plan_id, position, domain_id, sight, records_version, provider_config_id, requests,
        steps, shown)
      select ${plan.id}, position, domain_id, sight, records_version, provider_config_id, requests, steps, shown
      from json_to_recordset(${domains}::json) as planned (position int, domain_id uuid, sight text, records_version int,
        provider_config_id uuid, requests json, steps int, shown json)
      -- One may have been removed meanwhile.
      where exists (select from domains where domains.id = domain_id)
    ), old as (
      delete from domains_plans where id in (
        select id from domains_plans where user_id = ${principal.userId} and operation_id is null
        order by id desc offset ${MAX_KEPT - 1}
      )
    )
    select expires_at from kept
  `.execute(db)
  return (rows[0] as { expires_at: Date }).expires_at
}

export interface PlanRow {
  id: string
  kind: DomainsPlansTable['kind']
  totals: Omit<Totals, 'hidden'> & Partial<Totals>
  operation_id: string | null
  undoes_operation_id: string | null
  expires_at: Date
}

/** Plans of the caller; for a token, those it made. */
export async function findPlan(db: Executor, principal: Principal, id: string): Promise<PlanRow | undefined> {
  const row = await db
    .selectFrom('domains_plans')
    .select(['id', 'kind', 'totals', 'operation_id', 'undoes_operation_id', 'expires_at'])
    .where('id', '=', id)
    .where('user_id', '=', principal.userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .$if(principal.token !== null, (query) => query.where('token_id', '=', tokenOf(principal)))
    .executeTakeFirst()
  return row as PlanRow | undefined
}

export interface PlannedRow {
  position: number
  domain_id: string
  domain_name: string
  owner_id: string
  grants: Grant[]
  sight: string
  shown: Shown
  change_id: string | null
  outcome: string | null
  problem: Problem | null
}

/** Records that the plan could not include. */
const BLOCKED = sql<number>`(shown -> 'counts' ->> 'blocked')::int`

/**
 * The outcome of a domain: that of its change, else the stored one. With blocked records it is never
 * complete.
 */
const OUTCOME = sql<string | null>`case
  when changes.status = 'partial' or (changes.status = 'applied' and ${BLOCKED} > 0) then 'partly'
  when changes.status is null and outcome = 'scheduled' and exists (
    select from scheduled_changes where scheduled_changes.id = change_id and scheduled_changes.status = 'cancelled'
  ) then 'cancelled'
  when changes.status is null and outcome = 'unchanged' and ${BLOCKED} > 0 then 'blocked'
  else coalesce(changes.status, outcome) end`

/** Domains of a plan that the caller sees, after a position. */
export async function readPlanned(
  db: Executor,
  principal: Principal,
  planId: string,
  { after, limit }: { after: number; limit: number },
): Promise<PlannedRow[]> {
  const rows = await db
    .selectFrom('planned_domains as planned')
    .innerJoin('domains', 'domains.id', 'planned.domain_id')
    .leftJoin('changes', 'changes.id', 'planned.change_id')
    .select(['position', 'planned.domain_id', 'domains.name as domain_name', 'owner_id', 'sight', 'shown'])
    .select(['change_id', 'problem', grantsOf(principal).as('grants'), OUTCOME.as('outcome')])
    .where('plan_id', '=', planId)
    .where('position', '>', after)
    .where(visibleTo(principal))
    .orderBy('position')
    .limit(limit)
    .execute()
  return rows as PlannedRow[]
}

/**
 * Claims the plan for an operation, once; undefined if it is not the caller's or was claimed. `steps` counts
 * the requested changes, including blocked ones.
 */
export function takePlan(
  db: Executor,
  principal: Principal,
  {
    id,
    kind,
    operationId,
    undoes,
  }: { id: string; kind: DomainsPlansTable['kind']; operationId: string; undoes: string | null },
): Promise<{ steps: number } | undefined> {
  const steps = sql<number>`(select coalesce(sum(steps + ${BLOCKED}), 0)::int from planned_domains where plan_id = id)`
  return db
    .updateTable('domains_plans')
    .set({
      operation_id: operationId,
      expires_at: sql<Date>`now() + make_interval(days => ${ENDED_DAYS})`,
    })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('undoes_operation_id', 'is not distinct from', undoes)
    .where('user_id', '=', principal.userId)
    .where('token_id', 'is not distinct from', tokenOf(principal))
    .where('operation_id', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(steps.as('steps'))
    .executeTakeFirst()
}

export interface OpenRow {
  position: number
  domain_id: string
  records_version: number
  provider_config_id: string
  requests: RequestedChange[]
}

/** Domains with changes that have not begun. */
export async function readOpen(db: Executor, planId: string): Promise<OpenRow[]> {
  const rows = await db
    .selectFrom('planned_domains')
    .select(['position', 'domain_id', 'records_version', 'provider_config_id', 'requests'])
    .where('plan_id', '=', planId)
    .where('steps', '>', 0)
    .where('change_id', 'is', null)
    .where('outcome', 'is', null)
    .orderBy('position')
    .execute()
  return rows as OpenRow[]
}

/** Stores the outcome of domains in which the plan changes nothing: `blocked` if a record prevents it. */
export const noteNothingToDo = (db: Executor, planId: string) =>
  db
    .updateTable('planned_domains')
    .set({
      outcome: sql<'blocked' | 'unchanged'>`case when ${BLOCKED} > 0 then 'blocked' else 'unchanged' end`,
    })
    .where('plan_id', '=', planId)
    .where('steps', '=', 0)
    .where('outcome', 'is', null)
    .execute()

interface Place {
  planId: string
  position: number
}

/** Call it in the transaction that opens the change. */
export const notePlannedChange = (trx: Executor, { planId, position }: Place, changeId: string) =>
  trx
    .updateTable('planned_domains')
    .set({ change_id: changeId })
    .where('plan_id', '=', planId)
    .where('position', '=', position)
    .execute()

export const noteEnd = (
  db: Executor,
  { planId, position }: Place,
  {
    outcome,
    problem,
  }: { outcome: 'unchanged' | 'outdated' | 'refused' | 'scheduled' | null; problem: object | null },
) =>
  db
    .updateTable('planned_domains')
    .set({ outcome, problem: problem && JSON.stringify(problem) })
    .where('plan_id', '=', planId)
    .where('position', '=', position)
    .execute()

/**
 * Counts domains by outcome, and changed records. `isOnlyBlocked`: everything missing was already blocked in
 * the plan, or hidden from its author.
 */
export async function countEnds(
  db: Executor,
  planId: string,
): Promise<{ outcomes: Record<string, number>; done: number; isOnlyBlocked: boolean }> {
  const { rows } = await sql<{ outcome: string | null; count: number; done: number; failed: number }>`
    select ${OUTCOME} as outcome, count(*)::int as count, coalesce(sum(applied), 0)::int as done,
      (count(*) filter (where coalesce(changes.status, outcome, 'waiting') not in ('applied', 'unchanged', 'blocked', 'scheduled')))::int as failed
    from planned_domains left join changes on changes.id = change_id
    left join lateral (
      select count(*) as applied from change_items
      where change_items.change_id = planned_domains.change_id and change_items.outcome = 'applied'
    ) as items on true
    where plan_id = ${planId} and (steps > 0 or ${BLOCKED} > 0) group by 1
    union all
    select 'hidden', (totals ->> 'hidden')::int, 0, 0 from domains_plans
    where id = ${planId} and (totals ->> 'hidden')::int > 0
  `.execute(db)
  return {
    outcomes: Object.fromEntries(rows.map(({ outcome, count }) => [outcome ?? 'waiting', count])),
    done: rows.reduce((sum, { done }) => sum + done, 0),
    isOnlyBlocked: rows.every(({ failed }) => failed === 0),
  }
}

export const forgetOldPlans = (db: Executor) =>
  db
    .deleteFrom('domains_plans')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
