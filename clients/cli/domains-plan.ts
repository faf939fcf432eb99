import type { AcceptedOperation, DomainsPlan, PlannedDomain, Zonekeeper } from '../typescript/index.ts'
import { printable } from '../printable.ts'
import { EXIT, CliError } from './failures.ts'
import { linesOfRecords } from './terminal/plan-view.ts'
import { followed, type FinishedOperation } from './terminal/progress.ts'
import { confirm } from './terminal/questions.ts'
import type { Session } from './session.ts'

/** Domains on a page of a plan. */
export const DOMAINS_AT_A_TIME = 200

/**
 * Shows a plan over many domains, asks for confirmation, applies it, and reports the outcome. Rejects with CliError if the
 * user declines or some changes were not applied.
 */
export async function confirmAndApplyInDomains(
  session: Session,
  client: Zonekeeper,
  plan: DomainsPlan,
  apply: (planId: string) => Promise<AcceptedOperation>,
): Promise<void> {
  const { json, yes } = session.options
  const { creates, updates, deletes, blocked, changedDomains, hidden } = plan.totals
  const count = creates + updates + deletes
  if (!json) await showDomains(session, client, plan)
  else if (yes !== true || count === 0) await session.answer(plan)
  if (count === 0) {
    if (blocked + hidden > 0) throw new CliError(EXIT.refused, 'None of the changes can be applied')
    return json ? undefined : session.say('Nothing to change.')
  }
  await confirm(session, `Apply in ${changedDomains} domains?`)
  const operation = await followed(session, client, await apply(plan.planId))
  if (json) await session.answer(operation)
  const codes = new Set<string | undefined>()
  for await (const domain of domainsOf(client, plan.planId)) {
    if (!json) await tellOutcome(session, domain)
    if (domain.outcome !== null && !DONE.has(domain.outcome)) codes.add(domain.problem?.code)
  }
  if (operation.outcome === 'succeeded') return
  const why = printable(operation.problem?.detail ?? 'unknown reason')
  throw new CliError(
    exitOf(operation, codes),
    `${operation.done} of ${operation.total} changes applied: ${why}`,
  )
}

/**
 * Needs a review if that stopped every domain that was not changed; refused if nothing failed but some records were blocked
 * in the plan.
 */
function exitOf({ problem }: FinishedOperation, codes: ReadonlySet<string | undefined>) {
  if (codes.size === 1 && codes.has('review_required')) return EXIT.needsReview
  return problem?.['reason'] === 'records_blocked' ? EXIT.refused : EXIT.failed
}

async function showDomains(session: Session, client: Zonekeeper, plan: DomainsPlan): Promise<void> {
  for await (const domain of domainsOf(client, plan.planId, plan)) {
    const { domainName, counts, changes, blocked, warnings } = domain
    if (changes.length + blocked.length === 0) continue
    const { creates, updates, deletes } = counts
    await session.say(`${domainName}: ${creates} to create, ${updates} to update, ${deletes} to delete`)
    for (const line of linesOfRecords(session, changes)) await session.say(line)
    const hidden = creates + updates + deletes - changes.length
    if (hidden > 0) await session.say(`   and ${hidden} more`)
    for (const { message } of warnings) await session.say(session.paint('yellow', `! ${printable(message)}`))
    for (const one of blocked) await session.say(session.paint('red', `x ${blockedText(one)}`))
  }
  const { domains, changedDomains, blocked, hidden } = plan.totals
  if (hidden > 0)
    await session.say(session.paint('red', `x ${hidden} domains that you can't see are skipped`))
  await session.say(
    `Total: ${changedDomains} of ${domains} domains would change; ${blocked} records are blocked`,
  )
}

const blockedText = ({ before, wanted, detail }: PlannedDomain['blocked'][number]) => {
  const record = wanted ?? before
  return printable(record ? `${record.name} ${record.recordType} ${record.value}: ${detail}` : detail)
}

const DONE = new Set(['applied', 'scheduled', 'unchanged'])

async function tellOutcome(session: Session, { domainName, outcome, problem, changeId }: PlannedDomain) {
  if (outcome === null) return
  const detail = DONE.has(outcome) ? '' : `: ${printable(problem?.detail ?? 'nothing was changed')}`
  const undo = changeId === null ? '' : ` (change ${changeId})`
  await session.say(`${domainName} ${outcome}${detail}${undo}`)
}

/** Iterates over the domains of a plan, page by page; `first` is the page already read. */
async function* domainsOf(
  client: Zonekeeper,
  planId: string,
  first?: DomainsPlan,
): AsyncGenerator<PlannedDomain> {
  let page =
    first ??
    (await client.GET('/api/v1/records/plans/{id}', {
      path: { id: planId },
      query: { limit: DOMAINS_AT_A_TIME },
    }))
  for (;;) {
    yield* page.domains
    if (page.nextCursor === null) return
    page = await client.GET('/api/v1/records/plans/{id}', {
      path: { id: planId },
      query: { limit: DOMAINS_AT_A_TIME, cursor: page.nextCursor },
    })
  }
}
