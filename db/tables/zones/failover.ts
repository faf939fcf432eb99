import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { RecordType } from '../../../dns/types/index.ts'

/** Values of an RRset that are prepared, and where they are checked. */
export interface StoredAlternative {
  name: string
  /** Canonical. */
  values: string[]
  /** Addresses or names to check instead of the values; null: the values themselves. */
  targets: string[] | null
}

/** How the targets of an alternative are checked. */
export type StoredProbe = { timeoutSeconds: number; port: number } & (
  | {
      kind: 'http'
      tls: boolean
      /** For the Host header and the certificate. */
      host: string
      path: string
      /** Empty: 200 to 399. */
      status: number[]
      /** Text in the first 64 KiB of the body. */
      contains: string | null
      verifyCertificate: boolean
      /** The certificate must be valid for more days than this. */
      certificateDays: number | null
    }
  | { kind: 'tcp' }
  | {
      kind: 'dns'
      /** Canonical and absolute. */
      query: string
      queryType: RecordType
      /** A value that the answer must contain, canonical. */
      contains: string | null
    }
)

/** An instance of the service that checks the alternatives of monitors. */
export interface InstancesTable {
  id: string
  seen_at: Generated<Date>
}

/** RRsets with prepared alternatives. The checks of all living instances decide which of them is served. */
export interface FailoverMonitorsTable {
  id: string
  domain_id: string
  /** Relative to the zone. */
  name: string
  type: RecordType
  /** The preferred first. */
  alternatives: JSONColumnType<StoredAlternative[]>
  /** How an alternative is checked. */
  probe: JSONColumnType<StoredProbe>
  interval_seconds: number
  /** Failed checks in a row after which an alternative is down. */
  failures: number
  /** Successful checks in a row after which it is up. */
  successes: number
  /** Least time after a switch before one back to a preferred alternative. */
  hold_down_seconds: number
  back: 'automatic' | 'manual'
  /** Times, ISO 8601, in which nothing is switched. */
  maintenance: JSONColumnType<{ from: string; until: string }[], string | undefined>
  /** Who set up its alternatives and check: switches are made with their permissions. */
  author_id: string | null
  author_name: string
  /** Rises when the alternatives or the check change. */
  revision: Generated<number>
  /** The revision that a second person approved. */
  approved_revision: number | null
  approver_id: string | null
  approver_name: string | null
  /** Position of the alternative that is served, as far as known. */
  active: number
  /** The same before the last switch. */
  previous: number | null
  /** Rises with each switch. */
  turn: Generated<number>
  switched_at: Date | null
  switched_by: 'failure' | 'recovery' | 'hand' | null
  /** The change of the last switch. */
  change_id: string | null
  /** What became of that change is known and announced. */
  settled: Generated<boolean>
  /** After a failed attempt: not before then. */
  retry_at: Date | null
  /** Why it does not switch automatically; null if it does. */
  paused: 'hand' | 'records_changed' | 'author' | 'partial' | null
  paused_at: Date | null
  /** Why it could not switch, as announced; null if nothing is wrong. */
  problem: string | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

/** One check, for the history of latencies. */
export interface StoredCheck {
  /** ISO 8601. */
  at: string
  ok: boolean
  /** Null if it failed. */
  ms: number | null
}

/** What one instance finds about one alternative. */
export interface FailoverVerdictsTable {
  monitor_id: string
  instance_id: string
  alternative: number
  revision: number
  /**
   * `answering`: it has succeeded, but not yet often enough to be `up`, and it was not down before. `failing`: it was up, and
   * has failed, but not yet often enough to be `down`.
   */
  state: 'unknown' | 'answering' | 'up' | 'failing' | 'down'
  latency_ms: number | null
  /** Why the last check failed: a code, and a text for people. */
  reason: string | null
  detail: string | null
  /** Oldest first. */
  history: ColumnType<StoredCheck[], string, string>
  certificate_expires: Date | null
  checked_at: Generated<Date>
}
