import type { Executor } from '../../../db/connection/connect.ts'
import type { ChangeSource } from '../../../db/tables/index.ts'
import type { RecordRow } from '../list/mapper.ts'
import type { ExactSet, RecordState, RequestedChange, Step } from './change.ts'
import type { Effect } from './plan-mapper.ts'

/** Everything a caller asks for in one go. */
export type ChangeIntent = RequestsIntent | DecidedIntent | KeptIntent | EnforcedIntent

interface Asked {
  /** How the history names the change. */
  source: ChangeSource
  /** RRsets that are written whole: the write fails with 409 when the provider holds other values in them. */
  exact?: 'zone' | readonly ExactSet[]
}

interface Requests extends Asked {
  requests: RequestedChange[]
  /** Names, values and TTLs are canonical and were served before, so the rules for users do not apply. */
  verbatim?: boolean
  /** Each request succeeds or fails on its own; by default all are applied or none. */
  separate?: boolean
  /** Positions of the caller's changes that the requests implement; by default the same. */
  origins?: number[]
  /** What has waited for this change, and is taken by it. */
  awaited?: WaitingWork
  /** The change that this one reverts; it then no longer waits to be confirmed. */
  reverts?: string
}

/** Requested changes. */
export interface RequestsIntent extends Requests {
  kind: 'requests'
}

/**
 * Changes that depend on the current records: decided while their names are locked, each on its own. What `decide` throws,
 * the caller gets, and nothing is done.
 */
export interface DecidedIntent extends Asked {
  kind: 'decided'
  names: string[]
  /** All changes are applied or none. */
  together?: boolean
  decide: (records: readonly RecordRow[]) => RequestedChange[]
}

/**
 * Records here that the provider is to hold again: planned on what it holds instead of what is stored, each on its own.
 * `take`: does what belongs to the change in the transaction that opens it, or rejects.
 */
export interface EnforcedIntent extends Asked {
  kind: 'enforced'
  names: string[]
  against: (trx: Executor, records: readonly RecordRow[]) => Promise<Held>
  take: (trx: Executor, change: { id: string; steps: readonly Step[] }) => Promise<void>
}

/** What the provider holds, and the requests that bring it in line. */
interface Held {
  current: RecordState[]
  requests: RequestedChange[]
  /** Turns steps on what the provider holds into steps on the records here. */
  toStep: (step: Step) => Step
}

/** A kept plan: applied only when it still does what was shown. */
export interface KeptIntent extends Requests {
  kind: 'kept'
  /** Null: somebody else marks the plan as applied. */
  planId: string | null
  expected: Effect[] | PlannedState
}

/** Work that has waited for its change, taken in the transaction that opens the change: so it is done once. */
export interface WaitingWork {
  /** An approved change request, a change whose time has come, one that nobody has confirmed, or a switch of a failover monitor. */
  kind: 'request' | 'scheduled' | 'unconfirmed' | 'failover'
  /** Of a scheduled change: also that of the change in the journal. */
  id: string
  /** Stores the change as the one that does the work. Rejects if it no longer waits, or has one already. */
  take: (trx: Executor, changeId: string) => Promise<void>
}

/** The state of a domain in which a plan does what was shown. */
export interface PlannedState {
  recordsVersion: number
  providerConfigId: string
}
