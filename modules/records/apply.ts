import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { pipelined } from '../../db/pipelined.ts'
import type { Database } from '../../db/tables.ts'
import type { Actor, Caller } from '../../plugins/access/index.ts'
import { recordAudit } from '../audit/service.ts'
import {
  recordScopeOf,
  requireDomain,
  seesName,
  type DomainRow,
  type GrantedDomain,
  type RecordScope,
} from '../domains/access.ts'
import { connectionOf, zoneOf, type DomainContext } from '../domains/service.ts'
import { PROVIDER_BUDGET_MS, type ProviderConnection } from '../providers/connection.ts'
import type { ProviderError } from '../providers/contract.ts'
import type { ChangeRequest, Step } from './change.ts'
import { stillBusy } from './errors.ts'
import {
  closeChange,
  lockForSettling,
  openChange,
  readNames,
  type ChangeSource,
  type StepOutcome,
} from './journal.ts'
import { toState, type RecordRow } from './mapper.ts'
import { namesIn, planChanges, type Plan, type Refusal } from './plan.ts'
import { readAhead, sendSteps } from './provider-edits.ts'
import type { Turns } from './turns.ts'
import { warnAbout } from './warnings.ts'
import type { ZoneFacts } from './zone-rules.ts'

/** What changing records needs of the app. */
export interface RecordContext extends DomainContext {
  turns: Turns
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

export interface ApplyOptions {
  source: ChangeSource
  /** Each request on its own: those that can't be done don't keep the others from being done. */
  separate?: boolean
  /** Called with the first request that can't be done, when they stand or fall together. */
  refuse?: (refusals: Refusal[], plan: Plan) => Error
}

/** Longer than any call to a provider may take, so that nobody settles what is still under way. */
const LEASE_SECONDS = PROVIDER_BUDGET_MS / 1000 + 10

/** How long a request waits for another change of the same names. */
const MAX_WAIT_MS = 10_000
const RETRY_MS = 250

/** What would happen, without doing it. */
export async function previewChanges(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: ChangeRequest[],
): Promise<Plan> {
  const domain = await requireDomain(context.db, caller, domainId, 'read')
  const zone = zoneFacts(domain, await connectionOf(context, domain), caller)
  const { records } = await readNames(context.db, domainId, namesIn(requests, zone.name), idsIn(requests))
  return withWarnings(context.db, domain, zone.scope, planChanges(zone, records.map(toState), requests))
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
  requests: ChangeRequest[],
  options: ApplyOptions,
): Promise<Applied> {
  const { domain, scope, connection, plan, changeId, ahead } = await open(
    context,
    caller,
    domainId,
    requests,
    options,
  )
  if (changeId === null) return { plan, changeId, outcomes: [], records: new Map(), failure: null }

  const separate = options.separate ?? false
  const sent = await sendSteps(connection, zoneOf(domain), plan.steps, { separate, ahead })
  const rows = await settleChange(
    context,
    caller,
    { id: changeId, domain, source: options.source },
    plan.steps,
    sent.outcomes,
  )
  return {
    plan: await withWarnings(context.db, domain, scope, plan),
    changeId,
    outcomes: sent.outcomes,
    records: new Map(rows.map((row) => [row.id, row])),
    failure: sent.failure,
  }
}

/** Plans and journals in one transaction, again and again while another change holds one of the names. */
async function open(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: ChangeRequest[],
  options: ApplyOptions,
) {
  const deadline = Date.now() + MAX_WAIT_MS
  for (;;) {
    const opened = await context.db
      .transaction()
      .execute((trx) => tryOpen({ ...context, db: trx }, caller, domainId, requests, options))
    if (!('locked' in opened)) return opened
    if (Date.now() >= deadline) throw stillBusy(opened.locked)
    await context.turns.wait(domainId, RETRY_MS)
  }
}

async function tryOpen(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: ChangeRequest[],
  { separate, source, refuse }: ApplyOptions,
) {
  const trx = context.db
  const domain = await requireDomain(trx, caller, domainId, 'write', { lock: true })
  const [connection, { records, locked }] = await pipelined(trx, (db) =>
    Promise.all([
      // Anew for each try: waiting does not count as time at the provider.
      connectionOf({ ...context, db }, domain),
      readNames(db, domainId, namesIn(requests, domain.name), idsIn(requests)),
    ]),
  )
  const zone = zoneFacts(domain, connection, caller)
  // What is done to names that they don't see does not concern them: nothing of these will be changed.
  const waitedFor = locked.filter((name) => seesName(zone.scope, name))
  if (waitedFor.length > 0) return { locked: waitedFor }
  const plan = planChanges(zone, records.map(toState), requests)
  if (plan.refusals.length > 0 && !separate && refuse) throw refuse(plan.refusals, plan)
  if (plan.steps.length === 0)
    return { domain, scope: zone.scope, connection, plan, changeId: null, ahead: null }
  const changeId = uuidv7()
  const change = { id: changeId, domainId, actor: caller, source, leaseSeconds: LEASE_SECONDS }
  const ahead = readAhead(connection, zoneOf(domain), plan.steps)
  await openChange(trx, change, plan.steps)
  return { domain, scope: zone.scope, connection, plan, changeId, ahead }
}

/** Stores what became of the steps, with its audit row, and tells the others. Answers the records concerned. */
export async function settleChange(
  { db, events, turns }: RecordContext,
  actor: Actor,
  change: { id: string; domain: Pick<DomainRow, 'id' | 'name' | 'owner_id'>; source: ChangeSource },
  steps: Pick<Step, 'action' | 'recordId' | 'before' | 'after'>[],
  outcomes: StepOutcome[],
  positions = outcomes.map((_, position) => position),
): Promise<RecordRow[]> {
  const { id, domain } = change
  const applied = steps.filter((_, i) => outcomes[i]?.outcome === 'applied')
  const items = outcomes.map((outcome, i) => ({ ...outcome, position: positions[i] ?? i }))
  const entangled = steps.length > 1 && steps.some(({ action }) => action !== 'create')
  const count = (action: string) => applied.filter((step) => step.action === action).length
  const rows = await db.transaction().execute(async (trx) => {
    const [, kept] = await pipelined(trx, (wire) =>
      Promise.all([
        lockForSettling(wire, domain.id),
        closeChange(wire, { id, domainId: domain.id }, items, { entangled }),
        applied.length > 0 &&
          recordAudit(wire, actor, {
            action: 'records.changed',
            target: { type: 'domain', id: domain.id, name: domain.name },
            after: {
              changeId: id,
              source: change.source,
              created: count('create'),
              updated: count('update'),
              deleted: count('delete'),
            },
          }),
      ]),
    )
    return kept
  })
  turns.next(domain.id)
  for (const action of ['create', 'update', 'delete'] as const) {
    const records = applied.filter((step) => step.action === action).map(toEventRecord)
    if (records.length === 0) continue
    events.emit(`record.${action}d`, {
      metadata: { domainId: domain.id, domainName: domain.name, changeId: id, records },
      actorId: actor.userId,
    })
  }
  return rows
}

const toEventRecord = ({ recordId, before, after }: Pick<Step, 'recordId' | 'before' | 'after'>) => {
  const { name, type } = (after ?? before) as NonNullable<Step['after']>
  return { id: recordId, name, recordType: type }
}

const idsIn = (requests: ChangeRequest[]) =>
  requests.flatMap((request) => (request.action === 'create' ? [] : [request.recordId]))

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
): Promise<Plan> {
  return { ...plan, warnings: [...plan.warnings, ...(await warnAbout(db, domain, scope, plan.steps))] }
}
