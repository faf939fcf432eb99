import type { Executor } from '../../db/connection/connect.ts'
import type { Caller, Principal } from '../../plugins/security/access/index.ts'
import { recordScopeOf, requireDomain, seesAllRecords, type GrantedDomain } from '../domains/access/access.ts'
import { checkDomain } from './checking/check.ts'
import type { HealthContext } from './context.ts'
import type { Unknown } from './checking/finding.ts'
import { toCounts, toFinding } from './mapper.ts'
import { countFindings, findHealth, listFindings, makeDue, type FindingFilter } from './queries.ts'
import { storeCheck } from './store.ts'

/** Queries of a request end with the service. */
const NEVER = new AbortController().signal
/** More than are stored of one domain. */
const ALL = 10_000
/** Domains that one statement makes due. */
const DUE_AT_ONCE = 1_000

/** The findings of a domain that the caller sees. */
export async function readHealth(db: Executor, principal: Principal, domainId: string) {
  return healthOf(db, principal, await requireDomain(db, principal, domainId, 'read'))
}

async function healthOf(db: Executor, principal: Principal, domain: GrantedDomain) {
  const filter = { domainId: domain.id, page: 1, limit: ALL }
  const [row, findings, counts] = await Promise.all([
    findHealth(db, domain.id),
    listFindings(db, principal, filter),
    countFindings(db, principal, filter),
  ])
  // What was not checked can name any record.
  const isWhole = seesAllRecords(recordScopeOf(domain, principal))
  return {
    domainId: domain.id,
    domainName: domain.name,
    checkedAt: row?.checked_at?.toISOString() ?? null,
    counts: toCounts(counts),
    findings: findings.map(toFinding),
    notChecked: isWhole ? ((row?.not_checked ?? []) as Unknown[]) : [],
    omitted: isWhole ? ((row?.omitted ?? []) as { code: string; count: number }[]) : [],
  }
}

/** Checks a domain now and returns what the caller sees of it. */
export async function checkHealth(context: HealthContext, caller: Caller, domainId: string) {
  const domain = await requireDomain(context.db, caller, domainId, 'read')
  await storeCheck(context.db, domain, await checkDomain(context, domain, NEVER))
  return healthOf(context.db, caller, domain)
}

export async function listVisibleFindings({ db }: HealthContext, caller: Caller, filter: FindingFilter) {
  if (filter.domainId !== undefined) await requireDomain(db, caller, filter.domainId, 'read')
  const [rows, counted] = await Promise.all([
    listFindings(db, caller, filter),
    countFindings(db, caller, filter),
  ])
  const counts = toCounts(counted)
  const { severity, page, limit } = filter
  const total = severity ? counts[severity] : counts.error + counts.warning + counts.info
  return { findings: rows.map(toFinding), counts, total, page, limit }
}

/** Makes all of the caller's domains due for a check. */
export async function checkAll({ db, events }: HealthContext, caller: Caller) {
  let domains = 0
  // Each statement locks few rows, and instances begin with the first of them.
  for (let after: string | null = null; ;) {
    const made = await makeDue(db, caller, after, DUE_AT_ONCE)
    domains += made.domains
    if (made.domains > 0) events.emit('health.due', {})
    if (made.last === null) return { domains }
    after = made.last
  }
}
