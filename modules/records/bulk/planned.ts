import type { ReasonCode } from '../../../schemas/codes/reason-codes.ts'
import type { GrantedDomain } from '../../domains/access/access.ts'
import type { RequestedChange, RecordState, Step } from '../plan/change.ts'
import type { toContent } from '../list/mapper.ts'
import type { Effect } from '../plan/plan-mapper.ts'
import type { PlanWarning } from '../plan/plan.ts'
import type { ZoneFacts } from '../plan/zone-rules.ts'

/** A domain that the caller sees, with the key of its provider. */
export type PlannableDomain = GrantedDomain & { provider_key: string }

type Content = ReturnType<typeof toContent>

/** A record that can't be changed or created, and why. */
export interface Blocked {
  recordId: string | null
  /** The current record; null for one to create. */
  before: Content | null
  /** The wanted record, as far as known. */
  wanted: { name: string; recordType: string; value: string } | null
  kind: string
  /** The rule that refuses it, for programs, with the values that the text names. */
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

/** What a plan over many domains changes in each. */
export interface DomainsIntent {
  /** Reads further data of domains. Called after the domains are read, so that applying the plan detects later changes. */
  read?(domainIds: readonly string[]): Promise<void>
  /** Returns the relative names whose records it needs. */
  namesIn(domain: PlannableDomain): readonly string[]
  /** Returns the requests. `current`: all records of those names, including those the caller does not see. */
  requestsIn(zone: ZoneFacts, domain: PlannableDomain, current: RecordState[]): DomainRequests
  /** All requests of a domain or none; otherwise refused requests don't prevent the others. */
  together: boolean
  /** Names, values and TTLs were served before, so the rules for users do not apply. */
  verbatim?: boolean
}

/** The plan of one domain. */
export interface DomainPlan {
  domain: PlannableDomain
  sight: string
  /** The requests that can be applied. */
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

/** Totals of all domains of a plan. */
export interface Totals extends Counts {
  domains: number
  changedDomains: number
  /** Domains to revert that the caller does not see. */
  hidden: number
}

/** What is kept of one domain for answers. */
export interface Shown {
  counts: Counts
  changes: ({ action: Step['action'] } & Effect)[]
  blocked: Blocked[]
  warnings: Pick<PlanWarning, 'code' | 'params' | 'message'>[]
}

/** Most domains in one plan. */
export const MAX_DOMAINS = 5_000
/** Most records that one plan changes. */
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
