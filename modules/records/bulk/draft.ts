import { takeSlices } from '../../../plugins/http/event-loop.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { recordScopeOf, seesRecord, sightOf } from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import type { RequestedChange, RecordState } from '../plan/change.ts'
import { toContent, toState } from '../list/mapper.ts'
import { planChanges, type Plan, type Refusal } from '../plan/plan.ts'
import { zoneFacts, type ZoneFacts } from '../plan/zone-rules.ts'
import {
  expandGroups,
  type Blocked,
  type DomainPlan,
  type PlannableDomain,
  type DomainsIntent,
} from './planned.ts'
import { readDomains, readRecordsOf } from './read-queries.ts'

/** Domains read by one statement. */
const BATCH = 1_000

/**
 * Plans an intent in each of the domains that the caller sees, sorted by name, by the same rules as for one domain. Takes
 * two statements for a thousand domains, and calls no provider.
 */
export async function draftDomains(
  context: Pick<RecordContext, 'db' | 'providerRegistry'>,
  principal: Principal,
  domainIds: readonly string[],
  intent: DomainsIntent,
): Promise<DomainPlan[]> {
  const plans: DomainPlan[] = []
  const slice = takeSlices()
  for (let from = 0; from < domainIds.length; from += BATCH) {
    const domains = await readDomains(context.db, principal, domainIds.slice(from, from + BATCH))
    await intent.read?.(domains.map(({ id }) => id))
    const names = domains.flatMap((domain) => intent.namesIn(domain).map((name) => ({ id: domain.id, name })))
    const records = Map.groupBy(await readRecordsOf(context.db, names), ({ domain_id }) => domain_id)
    for (const domain of domains) {
      const current = (records.get(domain.id) ?? []).map(toState)
      plans.push(await draft(context, principal, domain, intent, current))
      await slice()
    }
  }
  return plans.sort((a, b) => compare(a.domain.name, b.domain.name) || compare(a.domain.id, b.domain.id))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

async function draft(
  { providerRegistry }: Pick<RecordContext, 'providerRegistry'>,
  principal: Principal,
  domain: PlannableDomain,
  intent: DomainsIntent,
  current: RecordState[],
): Promise<DomainPlan> {
  const provider = providerRegistry.byKey(domain.provider_key)
  const zone = zoneFacts(domain, provider, recordScopeOf(domain, principal))
  const { requests, groups = [], blocked = [], warnings = [] } = intent.requestsIn(zone, domain, current)
  const { verbatim = false } = intent
  const planOf = async (some: RequestedChange[]): Promise<Plan> =>
    some.length === 0
      ? { steps: [], refusals: [], warnings: [] }
      : planChanges(zone, current, some, { verbatim })
  const toAll = (some: RequestedChange[], { refusals }: Plan) =>
    refusals.map((refusal) => toBlocked(refusal, some[refusal.index], zone, current))

  const first = await planOf(requests)
  const refused = [...blocked, ...toAll(requests, first)]
  const nothing = {
    domain,
    sight: sightOf(zone.scope),
    requests: [],
    steps: [],
    blocked: refused,
    warnings: [],
  }
  if (refused.length > 0 && intent.together) return nothing
  if (first.refusals.length === 0) return { ...nothing, requests, ...said(first) }

  const isRefused = new Set(first.refusals.map(({ index }) => index))
  const going = expandGroups(groups, isRefused)
  const because = first.refusals[0] as Refusal
  for (const index of going) {
    if (!isRefused.has(index)) refused.push(toBlocked(because, requests[index], zone, current))
  }
  const left = requests.filter((_, index) => !going.has(index))
  const second = await planOf(left)
  // Requests that fail without the refused ones are refused as well.
  if (second.refusals.length > 0) return { ...nothing, blocked: [...refused, ...toAll(left, second)] }
  return { ...nothing, requests: left, ...said(second) }

  function said(plan: Plan) {
    const planned = plan.warnings.map(({ code, params, message }) => ({ code, params, message }))
    return { steps: plan.steps, warnings: [...warnings, ...planned] }
  }
}

function toBlocked(
  { kind, code, params, detail }: Refusal,
  request: RequestedChange | undefined,
  { scope }: ZoneFacts,
  current: RecordState[],
): Blocked {
  const id = request && request.action !== 'create' ? request.recordId : null
  const before = current.find((record) => record.id === id && seesRecord(scope, record))
  return {
    recordId: before?.id ?? null,
    before: before ? toContent(before) : null,
    wanted: wantedOf(request, before),
    kind,
    code,
    params,
    detail,
  }
}

function wantedOf(request: RequestedChange | undefined, before: RecordState | undefined): Blocked['wanted'] {
  if (!request || request.action === 'delete') return null
  const { name = before?.name, recordType = before?.type, value = before?.value } = request
  return { name: name ?? '@', recordType: recordType ?? '', value: value ?? '' }
}
