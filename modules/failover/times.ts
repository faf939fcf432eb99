/** How fast time passes for monitors: tests shorten it. */
export interface FailoverTimes {
  /** Seconds that a second of an interval or hold-down takes. */
  second: number
}

export const DEFAULT_TIMES: FailoverTimes = { second: 1 }

/** How often an instance looks for monitors and says that it is alive. */
export const TICK_SECONDS = 1
/** An instance that was not seen for this long does not count. */
export const LIVING_SECONDS = 8
/** A verdict counts for so many intervals, and the time of a check. */
export const FRESH_INTERVALS = 2
/** After a failed attempt to switch. */
export const RETRY_SECONDS = 60
/** How often permissions and records are compared with what monitors expect. */
export const UPKEEP_SECONDS = 60
/** How often the outcomes of switches are looked for that no living instance waits for. */
export const SETTLE_SECONDS = 5
