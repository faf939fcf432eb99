import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import {
  recordScopeOf,
  requireDomain,
  type DomainRow,
  type RecordScope,
} from '../../domains/access/access.ts'
import { connectionOf } from '../../domains/service.ts'
import { readNames } from '../apply/journal/journal-queries.ts'
import { warnAboutSiblings } from '../apply/siblings.ts'
import type { RecordContext } from '../context.ts'
import { toState } from '../list/mapper.ts'
import { knownValues, recordIdsIn } from './change.ts'
import type { RequestsIntent } from './intent.ts'
import { namesIn, planChanges, type Plan, type PlanWarning } from './plan.ts'
import { byOrigin } from './plan-outcome.ts'
import { warnAbout } from './warnings.ts'
import { zoneFacts } from './zone-rules.ts'

/** Milliseconds to wait for the provider; the plan does not need its answer. */
const PROVIDER_BUDGET_MS = 5_000

/**
 * Returns what an intent would do now, without doing it. `asksProvider`: whether the plan warns about values that only the
 * provider holds. `isProposal`: it is planned as if the caller could change everything they see.
 */
export async function previewChanges(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { requests, verbatim, origins }: RequestsIntent,
  { asksProvider = true, isProposal = false } = {},
): Promise<Plan> {
  const domain = await requireDomain(context.db, caller, domainId, 'read')
  const { providerLimits } = context
  const limits = { ...providerLimits, budgetMs: Math.min(providerLimits.budgetMs, PROVIDER_BUDGET_MS) }
  const connection = await connectionOf(context, domain, { limits })
  const own = recordScopeOf(domain, caller)
  const scope = isProposal ? { ...own, changeable: null } : own
  const names = await namesIn(requests, domain.name, { verbatim })
  const { records } = await readNames(context.db, domainId, names, recordIdsIn(requests))
  const zone = zoneFacts(domain, connection.provider, scope)
  const plan = byOrigin(await planChanges(zone, records.map(toState), requests, { verbatim }), origins)
  // Refused changes are not written.
  const asked = asksProvider && plan.refusals.length === 0 ? plan.steps : []
  const siblings = await warnAboutSiblings(context, domain, connection, scope, asked, knownValues(records))
  return withWarnings(context.db, domain, scope, plan, siblings)
}

/** The plan with all its warnings. `siblings`: those about values at the provider. */
export async function withWarnings(
  db: Executor,
  domain: DomainRow,
  scope: RecordScope,
  plan: Plan,
  siblings: PlanWarning[],
): Promise<Plan> {
  const others = await warnAbout(db, domain, scope, plan.steps)
  return { ...plan, warnings: [...siblings, ...plan.warnings, ...others] }
}
