import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { rrsetKey, type RRsetKey } from '../../../dns/names/rrset.ts'
import { noteChange } from '../../../db/connection/effects.ts'
import type { ChangeSource, Database } from '../../../db/tables/index.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { serviceStopping } from '../../../plugins/http/graceful-shutdown.ts'
import type { Held, Leases } from '../../../plugins/work/leases.ts'
import {
  recordScopeOf,
  requireDomain,
  seesName,
  type DomainRow,
  type GrantedDomain,
  type RecordScope,
} from '../../domains/access/access.ts'
import type { OperationRun, Operations } from '../../operations/contract.ts'
import { connectionOf, zoneOf, type DomainContext } from '../../domains/service.ts'
import { planOutdated } from '../kept-plans/errors.ts'
import type { ProviderConnection } from '../../providers/traffic/connection.ts'
import type { ProviderError } from '../../providers/contract.ts'
import { knownValues, type SetKey } from '../plan/known-values.ts'
import { auditPlan } from '../plan/provider-audit.ts'
import type { RequestedChange } from '../plan/change.ts'
import { PlanOutdated, stillBusy } from '../errors.ts'
import { requireVersion } from './required-version.ts'
import { endPlan, holdPlan } from '../kept-plans/service.ts'
import { openChange, readNames, type StepOutcome } from './journal/journal-queries.ts'
import { keepChange } from './journal/keyed-change.ts'
import { isAsShown, type Effect } from './kept-plans.ts'
import type { ReconcileTimes } from '../reconcile/times.ts'
import { toState, type RecordRow } from '../list/mapper.ts'
import { toPlan } from '../plan/plan-mapper.ts'
import {
  namesIn,
  planChanges,
  type Plan,
  type PlanOptions,
  type PlanWarning,
  type Refusal,
} from '../plan/plan.ts'
import { sendSteps } from './provider/provider-edits.ts'
import type { Sequence } from './waiting-changes.ts'
import { storeOutcomes } from './outcomes.ts'
import { forPlan, noteSeen, warnAboutSiblings } from './siblings.ts'
import { warnAbout } from '../plan/warnings.ts'
import type { ZoneMemory } from '../sync/zone-memory.ts'
import type { ZoneFacts } from '../plan/zone-rules.ts'

/** What changing records needs of the app. */
export interface RecordContext extends DomainContext {
  sequence: Sequence
  reconcileTimes: ReconcileTimes
  leases: Leases
  operations: Operations
  zoneMemory: ZoneMemory
  /** Changes that this instance is at work on: nobody else settles them. */
  openChanges: Held
}

export interface Applied {
  plan: Plan
  /** Null when there was nothing to do. */
  changeId: string | null
  /** By position in `plan.steps`. */
  outcomes: StepOutcome[]
  /** The records of the steps that are still there, by id. */
  records: Map<string, RecordRow>
  failure: ProviderError | null
}

export interface ApplyOptions extends PlanOptions {
  source: ChangeSource
  /** Each request on its own: those that can't be done don't keep the others from being done. */
  separate?: boolean
  /** Called with the first request that can't be done, when they stand or fall together. */
  refuse?: (refusals: Refusal[], plan: Plan) => Error
  /** In place of the requests: what those names need, decided when nobody else is at work on their records. */
  decided?: { names: string[]; requests: (records: readonly RecordRow[]) => RequestedChange[] }
  /** Of the operation as which it is done. */
  run?: OperationRun
  /** What was shown that it would do: rejects with `plan_outdated` when it would do something else by now. */
  expected?: Effect[]
  /** As the domain was when this was planned: where it is otherwise by now, PlanOutdated is thrown. */
  planned?: PlannedState
  /** Versions of the domain's records that it is meant for; with others it is 412. */
  ifVersions?: number[]
  /** The kept plan that is applied by it. */
  planId?: string
  /** It is all of the request: its outcome is what a repeat with the same Idempotency-Key gets. See repeatedChange. */
  isWhole?: boolean
  /** Sets that it writes whole: it fails with 409 where the provider holds anything else in them. */
  exact?: readonly SetKey[] | 'zone'
  /** How long it waits for another change of the same names; by default a little. */
  maxWaitMs?: number
}

/** By what it is told that a plan still says what would happen. */
export interface PlannedState {
  recordsVersion: number
  providerConfigId: string
}

const MAX_WAIT_MS = 10_000
const RETRY_MS = 250

/** So many requests at once may spend more at a provider than one, where each is a call of its own. */
const MANY = 20
const MANY_BUDGETS = 3

/** What would happen, without doing it. `asksProvider`: whether it warns about what the provider holds beyond that. */
export async function previewChanges(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: RequestedChange[],
  { asksProvider = true, ...options }: PlanOptions & { asksProvider?: boolean } = {},
): Promise<Plan> {
  const domain = await requireDomain(context.db, caller, domainId, 'read')
  const connection = await connectionOf(forPlan(context), domain)
  const zone = zoneFacts(domain, connection, caller)
  const names = await namesIn(requests, zone.name, options)
  const { records } = await readNames(context.db, domainId, names, idsIn(requests))
  const planned = await planChanges(zone, records.map(toState), requests, options)
  const plan = auditPlan(connection.provider, zone.name, planned)
  const { scope } = zone
  // What is refused will not be written.
  const asked = asksProvider && plan.refusals.length === 0 ? plan.steps : []
  const siblings = await warnAboutSiblings(context, domain, connection, scope, asked, knownValues(records))
  return withWarnings(context.db, domain, scope, plan, siblings)
}

/**
 * The one way by which records change: plan, journal, provider, settle.
 *
 * The change is written down and its records reserved before the provider is called, and settled after;
 * what a crash leaves in between is settled later from what the provider holds (see recovery). Names that
 * another change is working on are waited for.
 */
export async function applyChanges(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: RequestedChange[],
  options: ApplyOptions,
): Promise<Applied> {
  const { domain, scope, connection, plan, changeId, known } = await open(
    context,
    caller,
    domainId,
    requests,
    options,
  )
  if (changeId === null) return { plan, changeId, outcomes: [], records: new Map(), failure: null }

  context.openChanges.add(changeId)
  const { sent, rows } = await context.stopping
    .during(send())
    .finally(() => context.openChanges.delete(changeId))
  const siblings = await noteSeen(context, domain, scope, plan.steps, sent.seen)
  return {
    plan: await withWarnings(context.db, domain, scope, plan, siblings),
    changeId,
    outcomes: sent.outcomes,
    records: new Map(rows.map((row) => [row.id, row])),
    failure: sent.failure,
  }

  async function send() {
    const sent = await sendSteps(connection, zoneOf(domain), plan.steps, {
      separate: options.separate ?? false,
      ...(options.run && { run: options.run }),
      siblings: { known, isExact: exactnessOf(options.exact) },
    })
    const change = { id: changeId as string, domain, source: options.source }
    return { sent, rows: await storeOutcomes(context, caller, change, plan.steps, sent.outcomes) }
  }
}

/** Plans and journals in one transaction, again and again while another change holds one of the names. */
async function open(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: RequestedChange[],
  options: ApplyOptions,
) {
  const deadline = Date.now() + (options.maxWaitMs ?? MAX_WAIT_MS)
  for (;;) {
    // What an operation does is given back by its run.
    if (!options.run && context.stopping.begun.aborted) throw serviceStopping()
    const opened = await context.db
      .transaction()
      .execute((trx) => tryOpen({ ...context, db: trx }, caller, domainId, requests, options))
    if (!('locked' in opened)) return opened
    if (Date.now() >= deadline) throw stillBusy(opened.locked)
    await context.sequence.wait(domainId, RETRY_MS)
  }
}

async function tryOpen(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  given: RequestedChange[],
  {
    separate,
    source,
    refuse,
    run,
    expected,
    planned: state,
    ifVersions,
    decided,
    planId,
    isWhole = false,
    verbatim = false,
  }: ApplyOptions,
) {
  const trx = context.db
  const domain = await requireDomain(trx, caller, domainId, 'write', { lock: true })
  if (planId !== undefined) await holdPlan(trx, planId)
  if (state && !isAsPlanned(domain, state)) throw new PlanOutdated()
  await requireVersion(trx, domain, recordScopeOf(domain, caller), ifVersions)
  // Anew for each try: waiting does not count as time at the provider.
  const { budgetMs } = context.providerLimits
  // An operation has a budget of its own.
  const budgets = given.length > MANY && run === undefined ? MANY_BUDGETS : 1
  const providerLimits = { ...context.providerLimits, budgetMs: budgetMs * budgets }
  const connection = await connectionOf({ ...context, providerLimits }, domain)
  const names = decided?.names ?? (await namesIn(given, domain.name, { verbatim }))
  const zone = zoneFacts(domain, connection, caller)
  const whole = zone.capabilities.writeUnit === 'zone'
  const { records, locked } = await readNames(trx, domainId, names, idsIn(given), { whole })
  // What is done to names that they don't see does not concern them: nothing of these will be changed.
  const waitedFor = whole ? locked : locked.filter((name) => seesName(zone.scope, name))
  if (waitedFor.length > 0) return { locked: waitedFor }
  const requests = decided?.requests(records) ?? given
  const planned = await planChanges(zone, records.map(toState), requests, { verbatim })
  const plan = auditPlan(connection.provider, zone.name, planned)
  const isForbidden = plan.refusals.some(({ kind }) => kind === 'forbidden')
  if (expected && !isForbidden && !isAsShown(plan, expected)) throw planOutdated({ plan: toPlan(plan, null) })
  if (plan.refusals.length > 0 && !separate && refuse) throw refuse(plan.refusals, plan)
  const opened = { domain, scope: zone.scope, connection, plan, known: knownValues(records) }
  if (plan.steps.length === 0) return { ...opened, changeId: null }
  const changeId = uuidv7()
  const change = { id: changeId, domainId, actor: caller, source, operationId: run?.operationId ?? null }
  noteChange({ domainId, id: changeId })
  await openChange(trx, change, plan.steps)
  if (planId !== undefined) await endPlan(trx, planId, { changeId })
  if (isWhole) await keepChange(trx, caller, changeId, plan)
  await run?.opens(trx, changeId, plan.steps.length)
  return { ...opened, changeId }
}

const idsIn = (requests: RequestedChange[]) =>
  requests.flatMap((request) => (request.action === 'create' ? [] : [request.recordId]))

const isAsPlanned = (domain: DomainRow, { recordsVersion, providerConfigId }: PlannedState) =>
  domain.record_version === recordsVersion && domain.provider_config_id === providerConfigId

const zoneFacts = (domain: GrantedDomain, { provider }: ProviderConnection, caller: Caller): ZoneFacts => ({
  name: domain.name,
  defaultTtl: domain.default_ttl,
  providerName: provider.name,
  capabilities: provider.capabilities,
  scope: recordScopeOf(domain, caller),
})

async function withWarnings(
  db: Kysely<Database>,
  domain: DomainRow,
  scope: RecordScope,
  plan: Plan,
  siblings: PlanWarning[],
): Promise<Plan> {
  const others = await warnAbout(db, domain, scope, plan.steps)
  return { ...plan, warnings: [...siblings, ...plan.warnings, ...others] }
}

function exactnessOf(exact: ApplyOptions['exact']): (key: RRsetKey) => boolean {
  if (exact === 'zone') return () => true
  const keys = new Set(exact?.map(rrsetKey))
  return (key) => keys.has(rrsetKey(key))
}
