import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../../../plugins/http/errors.ts'
import type { RequestOutcome } from '../../../plugins/http/request-effects.ts'
import type { ChangeStatus } from '../../../schemas/records/record-changes.ts'
import { rrsetKey, type RRsetKey } from '../../../dns/names/rrset.ts'
import { noteChange } from '../../../db/connection/effects.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Database } from '../../../db/tables/index.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { serviceStopping } from '../../../plugins/http/graceful-shutdown.ts'
import { preconditionFailed } from '../../../plugins/http/if-match.ts'
import { providerFailure } from '../../providers/errors.ts'
import {
  recordScopeOf,
  requireDomain,
  seesName,
  type DomainRow,
  type RecordScope,
} from '../../domains/access/access.ts'
import type { OperationRun } from '../../operations/contract.ts'
import { connectionOf, seenVersion, zoneOf } from '../../domains/service.ts'
import type { RecordContext } from '../context.ts'
import { openConfirmation, noteRevert } from '../confirmation/queries.ts'
import { ChangesRefused, stillBusy } from '../errors.ts'
import { holdKept, requireAsShown } from '../kept-plans/as-shown.ts'
import { endPlan } from '../kept-plans/service.ts'
import { recordIdsIn } from '../plan/change.ts'
import type { ChangeIntent, WaitingWork } from '../plan/intent.ts'
import { namesIn } from '../plan/plan.ts'
import { withWarnings } from '../plan/preview.ts'
import { zoneFacts } from '../plan/zone-rules.ts'
import { openChange, readNames, type StepOutcome } from './journal/journal-queries.ts'
import { keepChange } from './journal/keyed-change.ts'
import { noteBypass, reviewOf, reviewRequired, type Emergency } from './review.ts'
import { storeOutcomes, type Applied } from './outcomes.ts'
import { planIntent } from './planned-intent.ts'
import { sendSteps } from './provider/provider-edits.ts'
import { noteSeen } from './siblings.ts'
import { namesOfExact, requireSameMembers } from './whole-sets.ts'

export interface ApplyOptions extends Emergency {
  /** The operation that applies the changes. */
  run?: OperationRun | undefined
  /** Versions of the domain's records that the changes are meant for; 412 for any other. */
  ifVersions?: number[] | undefined
  /** The changes are the whole request: a repeat with the same Idempotency-Key gets their outcome. */
  isWhole?: boolean
  /** Milliseconds to wait for other changes of the same names. */
  maxWaitMs?: number
  /** Minutes in which the change must be confirmed, or it is reverted. */
  confirmWithin?: number | undefined
  /** The operation that the change belongs to, if it isn't the one of `run`. */
  operationId?: string | null
}

const MAX_WAIT_MS = 10_000
const RETRY_MS = 250

/** Requests with more changes than this get more time at a provider, where each change may be a call. */
const MANY = 20
const MANY_BUDGETS = 3

const nothing = (): Applied => ({
  plan: { steps: [], refusals: [], warnings: [] },
  changeId: null,
  outcomes: [],
  records: new Map(),
  failure: null,
})

/**
 * Applies an intent. This is the only way records change: plan under lock, journal, provider, outcomes.
 *
 * The change is stored and its records reserved before the provider is called. If its outcome stays unknown, it is
 * reconciled later. Waits for other changes of the same names. Rejects with ChangesRefused when one request can't be done,
 * unless the requests are independent; a failure of the provider is part of the result.
 */
export async function applyChanges(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  intent: ChangeIntent,
  options: ApplyOptions = {},
): Promise<Applied> {
  if (intent.kind === 'requests' && intent.requests.length === 0) {
    await requireDomain(context.db, caller, domainId, 'write')
    return nothing()
  }
  const { domain, scope, connection, plan, changeId, known } = await open(
    context,
    caller,
    domainId,
    intent,
    options,
  )
  if (changeId === null) return { ...nothing(), plan }

  context.openChanges.add(changeId)
  const { sent, rows } = await context.stopping
    .during(send(changeId))
    .finally(() => context.openChanges.delete(changeId))
  const siblings = await noteSeen(context, domain, scope, plan.steps, sent.seen)
  return {
    plan: await withWarnings(context.db, domain, scope, plan, siblings),
    changeId,
    outcomes: sent.outcomes,
    records: new Map(rows.map((row) => [row.id, row])),
    failure: sent.failure,
  }

  async function send(id: string) {
    const sent = await sendSteps(connection, zoneOf(domain), plan.steps, {
      separate: isSeparate(intent),
      ...(options.run && { run: options.run }),
      siblings: { known, isExact: exactnessOf(intent) },
    })
    const change = { id, domain, source: intent.source }
    return { sent, rows: await storeOutcomes(context, caller, change, plan.steps, sent.outcomes) }
  }
}

/** Plans and journals in one transaction; repeated while another change holds one of the names. */
async function open(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  intent: ChangeIntent,
  options: ApplyOptions,
) {
  const deadline = Date.now() + (options.maxWaitMs ?? MAX_WAIT_MS)
  for (;;) {
    // If an operation was interrupted before it changed anything, its run leaves it to another instance.
    if (!options.run && context.stopping.begun.aborted) throw serviceStopping()
    const opened = await context.db
      .transaction()
      .execute((trx) => tryOpen(context, trx, caller, domainId, intent, options))
    if ('unreviewed' in opened) {
      const isShown = options.run === undefined && awaitedBy(intent) === null
      throw await reviewRequired(context, caller, intent, { ...opened.unreviewed, isShown })
    }
    if (!('locked' in opened)) return opened
    if (Date.now() >= deadline) throw stillBusy(opened.locked)
    await context.waitingChanges.wait(domainId, RETRY_MS)
  }
}

async function tryOpen(
  context: RecordContext,
  trx: Kysely<Database>,
  caller: Caller,
  domainId: string,
  intent: ChangeIntent,
  { run, ifVersions, isWhole = false, emergencyReason, confirmWithin, ...options }: ApplyOptions,
) {
  const domain = await requireDomain(trx, caller, domainId, 'write', { lock: true })
  const scope = recordScopeOf(domain, caller)
  if (intent.kind === 'kept') await holdKept(trx, domain, intent)
  await requireVersion(trx, domain, scope, ifVersions)
  const given = 'requests' in intent ? intent.requests : []
  const verbatim = 'requests' in intent && intent.verbatim
  // Counted from each attempt on: waiting is not time at the provider. An operation has a budget of its own.
  const budgets = given.length > MANY && run === undefined ? MANY_BUDGETS : 1
  const limits = { ...context.providerLimits, budgetMs: context.providerLimits.budgetMs * budgets }
  const connection = await connectionOf(context, domain, { db: trx, limits })
  const asked = 'names' in intent ? intent.names : await namesIn(given, domain.name, { verbatim })
  const names = [...new Set([...asked, ...namesOfExact(intent)])]
  const whole = connection.provider.capabilities.writeUnit === 'zone'
  const { records, locked } = await readNames(trx, domainId, names, recordIdsIn(given), { whole })
  // Names the caller does not see are left alone: nothing of them will be changed.
  const waitedFor = whole ? locked : locked.filter((name) => seesName(scope, name))
  if (waitedFor.length > 0) return { locked: waitedFor }
  requireSameMembers(records, intent.exact)
  const zone = zoneFacts(domain, connection.provider, scope)
  const { plan, requests, known } = await planIntent(trx, zone, intent, records)
  if (intent.kind === 'kept') requireAsShown(plan, intent)
  if (plan.refusals.length > 0 && !isSeparate(intent)) throw new ChangesRefused(plan.refusals, caller)
  const opened = { domain, scope, connection, plan, known }
  if (plan.steps.length === 0) return { ...opened, changeId: null }
  const review = reviewOf(domain, caller, intent, { emergencyReason })
  if (review === 'required') return { unreviewed: { domain, plan, requests } }
  const awaited = awaitedBy(intent)
  const changeId = awaited?.kind === 'scheduled' ? awaited.id : uuidv7()
  const operationId = run?.operationId ?? options.operationId ?? null
  noteChange({ domainId, id: changeId })
  await openChange(
    trx,
    {
      id: changeId,
      domainId,
      actor: caller,
      source: intent.source,
      operationId,
      changeRequestId: awaited?.kind === 'request' ? awaited.id : null,
      emergencyReason: review === 'bypassed' ? (emergencyReason ?? null) : null,
    },
    plan.steps,
  )
  if (review === 'bypassed')
    await noteBypass(trx, caller, domain, { changeId, reason: emergencyReason ?? '' })
  await awaited?.take(trx, changeId)
  if ('requests' in intent && intent.reverts !== undefined)
    await noteRevert(trx, { changeId: intent.reverts, revertId: changeId })
  if (confirmWithin !== undefined) await openConfirmation(trx, { changeId, domainId, minutes: confirmWithin })
  if (intent.kind === 'enforced') await intent.take(trx, { id: changeId, steps: plan.steps })
  if (intent.kind === 'kept' && intent.planId !== null) await endPlan(trx, intent.planId, { changeId })
  if (isWhole) await keepChange(trx, caller, changeId, plan)
  await run?.opens(trx, changeId, plan.steps.length)
  return { ...opened, changeId }
}

/** Rejects with 412 unless the records that the caller sees are at one of the versions. */
export async function requireVersion(
  db: Executor,
  domain: Pick<DomainRow, 'id' | 'name' | 'record_version'>,
  scope: RecordScope,
  versions: readonly number[] | undefined,
): Promise<void> {
  if (versions === undefined || versions.includes(await seenVersion(db, domain, scope))) return
  throw preconditionFailed(`The records of ${domain.name} have changed since the version in \`If-Match\``)
}

const awaitedBy = (intent: ChangeIntent): WaitingWork | null =>
  'requests' in intent ? (intent.awaited ?? null) : null

const isSeparate = (intent: ChangeIntent): boolean =>
  'requests' in intent ? intent.separate === true : intent.kind !== 'decided' || intent.together !== true

function exactnessOf({ exact }: ChangeIntent): (key: RRsetKey) => boolean {
  if (exact === 'zone') return () => true
  const keys = new Set(exact?.map(rrsetKey))
  return (key) => keys.has(rrsetKey(key))
}

/** Rejects when the provider failed, with the change and how much of it was done. */
export function requireApplied(applied: Applied): Applied {
  if (!applied.failure) return applied
  const { status, code, message, headers, extra } = providerFailure(applied.failure)
  throw new AppError(status, code, message, {
    headers,
    extra: {
      ...extra,
      changeId: applied.changeId,
      outcome: outcomeOf(applied),
      ...(status >= 500 && extentOf(applied)),
    },
    cause: applied.failure,
  })
}

/** Whether anything of the change may have been done. */
const outcomeOf = ({ outcomes }: Applied): RequestOutcome =>
  outcomes.every((step) => step.outcome === 'failed' && step.unconfirmed !== true) ? 'none' : 'unknown'

/** How much of the change was done. */
function extentOf({ outcomes }: Applied) {
  const count = (wanted: StepOutcome['outcome']) =>
    outcomes.filter(({ outcome }) => outcome === wanted).length
  const [done, pending] = [count('applied'), count('pending')]
  const changeStatus: ChangeStatus = pending > 0 ? 'pending' : done > 0 ? 'partial' : 'failed'
  return { changeStatus, done, total: outcomes.length }
}
