import type { Executor } from '../../../db/connection/connect.ts'
import type { ChangeSource } from '../../../db/tables/index.ts'
import type { RecordRow } from '../list/mapper.ts'
import type { RequestedChange, SetKey } from './change.ts'
import type { Effect } from './plan-mapper.ts'
import type { Plan } from './plan-outcome.ts'

/** Everything a caller asks for in one go. */
export type ChangeIntent = RequestsIntent | DecidedIntent | KeptIntent

interface Asked {
  /** How the history names the change. */
  source: ChangeSource
  /** RRsets that are written whole: the write fails with 409 when the provider holds other values in them. */
  exact?: 'zone' | readonly SetKey[]
  awaited?: Awaited
}

interface Requests extends Asked {
  requests: RequestedChange[]
  /** Names, values and TTLs are canonical and were served before, so the rules for users do not apply. */
  verbatim?: boolean
  /** Each request succeeds or fails on its own; by default all are applied or none. */
  separate?: boolean
  /** Positions of the caller's changes that the requests implement; by default the same. */
  origins?: number[]
}

/** Requested changes. */
export interface RequestsIntent extends Requests {
  kind: 'requests'
}

/** Changes that depend on the current records: decided while their names are locked, each on its own. */
export interface DecidedIntent extends Asked {
  kind: 'decided'
  names: string[]
  decide: (records: readonly RecordRow[]) => RequestedChange[]
}

/** A kept plan: applied only when it still does what was shown. */
export interface KeptIntent extends Requests {
  kind: 'kept'
  /** Null: somebody else marks the plan as applied. */
  planId: string | null
  expected: Effect[] | PlannedState
}

/** What has waited, and is done once: by the change that takes it, in the transaction that opens the change. */
export interface Awaited {
  /** An approved change request, a change scheduled for this time, or the end of the time to confirm a change. */
  kind: 'request' | 'scheduled' | 'unconfirmed'
  /** A scheduled change has an id already, which its change gets. */
  id: string
  /** Stores the change as the one that does it. Rejects if another one has, or it is no longer to be done. */
  take: (trx: Executor, changeId: string, plan: Plan) => Promise<void>
}

/** The state of a domain in which a plan does what was shown. */
export interface PlannedState {
  recordsVersion: number
  providerConfigId: string
}
