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

/** What is asked for in one domain. */
export interface Asked {
  requests: RequestedChange[]
  /** Of each request: those that share a place are done together or not at all. Missing: each by itself. */
  places?: readonly (readonly string[])[]
  /** What is known before planning to be impossible. */
  blocked?: Blocked[]
  warnings?: Pick<PlanWarning, 'code' | 'params' | 'message'>[]
}

/** What a plan over many domains asks for in each. */
export interface Wish {
  /** Reads what it needs to know of domains: after they were read, so that a plan notices whatever comes later. */
  read?(domainIds: readonly string[]): Promise<void>
  /** The names whose records it needs to see; relative. */
  namesIn(domain: PlannableDomain): readonly string[]
  /** `current`: all records of those names, seen by the caller or not. */
  askedIn(zone: ZoneFacts, domain: PlannableDomain, current: RecordState[]): Asked
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

/**
 * Which of some things go with those of `start`: those at one of their places, and so on by the places that these have.
 * `places`: of each thing.
 */
export function goingWith(places: readonly (readonly string[])[], start: Iterable<number>): Set<number> {
  const byPlace = new Map<string, number[]>()
  for (const [index, some] of places.entries()) {
    for (const place of some) {
      const there = byPlace.get(place) ?? []
      there.push(index)
      byPlace.set(place, there)
    }
  }
  const going = new Set(start)
  for (const index of going) {
    for (const place of places[index] ?? []) {
      for (const other of byPlace.get(place) ?? []) going.add(other)
      // Each place is looked at once.
      byPlace.delete(place)
    }
  }
  return going
}
