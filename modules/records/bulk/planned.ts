import type { ReasonCode } from '../../../schemas/reason-codes.ts'
import type { GrantedDomain } from '../../domains/access/access.ts'
import type { RequestedChange, RecordState, Step } from '../plan/change.ts'
import type { toContent } from '../plan/plan-mapper.ts'
import type { PlanWarning } from '../plan/plan.ts'
import type { ZoneFacts } from '../plan/zone-rules.ts'

/** A domain that the caller sees, with the key of its provider. */
export type PlannableDomain = GrantedDomain & { provider_key: string }

type Content = ReturnType<typeof toContent>

/** A record that can't be changed, or made, and why. */
export interface Blocked {
  recordId: string | null
  /** As it is; null: it was to be made. */
  before: Content | null
  /** What was wanted, as far as it can be told. */
  wanted: { name: string; recordType: string; value: string } | null
  kind: string
  /** Which rule stands against it, for programs, with what the words name. */
  code: ReasonCode
  params: Record<string, unknown>
  detail: string
}

/** Changes requested in one domain. */
export interface DomainRequests {
  requests: RequestedChange[]
  /** Groups of each request. Those that share a group are applied together or not at all; by default each stands alone. */
  groups?: readonly (readonly string[])[]
  /** Changes known to be impossible before planning. */
  blocked?: Blocked[]
  warnings?: Pick<PlanWarning, 'code' | 'params' | 'message'>[]
}

/** What a plan over many domains asks for in each. */
export interface DomainsIntent {
  /** Reads what it needs to know of domains: after they were read, so that a plan notices whatever comes later. */
  read?(domainIds: readonly string[]): Promise<void>
  /** The names whose records it needs to see; relative. */
  namesIn(domain: PlannableDomain): readonly string[]
  /** `current`: all records of those names, seen by the caller or not. */
  requestsIn(zone: ZoneFacts, domain: PlannableDomain, current: RecordState[]): DomainRequests
  /** In each domain all of it or nothing; else what can't be done doesn't keep the rest from being done. */
  together: boolean
  /** Names, values and TTLs were so before, and are taken as they are. */
  verbatim?: boolean
}

/** What it means for one domain. */
export interface DomainPlan {
  domain: PlannableDomain
  sight: string
  /** Those that can be done. */
  requests: RequestedChange[]
  steps: Step[]
  blocked: Blocked[]
  warnings: Pick<PlanWarning, 'code' | 'params' | 'message'>[]
}

interface Counts {
  creates: number
  updates: number
  deletes: number
  blocked: number
}

/** Over all domains of a plan. */
export interface Totals extends Counts {
  domains: number
  changedDomains: number
  /** Domains that it concerns and that the caller does not see; only of an undo. */
  hidden: number
}

/** What is shown of one domain. */
export interface Shown {
  counts: Counts
  changes: {
    action: Step['action']
    recordId: string | null
    before: Content | null
    after: Content | null
  }[]
  blocked: Blocked[]
  warnings: Pick<PlanWarning, 'code' | 'params' | 'message'>[]
}

/** Domains in one plan. */
export const MAX_DOMAINS = 5_000
/** Records that one plan changes. */
export const MAX_STEPS = 50_000

/** Extends `start` by everything that shares a group with it, directly or through others. `groups`: of each thing. */
export function expandGroups(groups: readonly (readonly string[])[], start: Iterable<number>): Set<number> {
  const members = new Map<string, number[]>()
  for (const [index, own] of groups.entries()) {
    for (const group of own) {
      const others = members.get(group)
      if (others) others.push(index)
      else members.set(group, [index])
    }
  }
  const found = new Set(start)
  for (const index of found) {
    for (const group of groups[index] ?? []) {
      for (const other of members.get(group) ?? []) found.add(other)
      // Each group is visited once.
      members.delete(group)
    }
  }
  return found
}
