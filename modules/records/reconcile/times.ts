import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'

/**
 * When a provider is asked about a change with unknown outcome, in seconds. A change that is not there at the last of these
 * times counts as failed. Slow servers may write long after their answer timed out.
 */
export interface ReconcileTimes {
  /** Since the answer was lost. */
  afterLostAnswer: readonly number[]
  /** Since a change of a dead instance was found; its provider may be just as slow. */
  afterDeath: readonly number[]
  /** Since the change counted as failed: late writes correct that. */
  late: number
  /** Between two searches for due changes. */
  sweep: number
}

export const RECONCILE_TIMES: ReconcileTimes = {
  afterLostAnswer: [2, 5, 15, 40, 90],
  afterDeath: [0, 5, 15, 40, 90],
  late: 600,
  sweep: 3,
}

/** Returns the longest wait of pending and failed changes for the next attempt, in seconds. `pause`: after a failure. */
export function longestWaits({ afterLostAnswer, afterDeath, late }: ReconcileTimes, pause: number) {
  const steps = [afterLostAnswer, afterDeath].flatMap((times) =>
    times.map((time, i) => time - (times[i - 1] ?? 0)),
  )
  const least = Math.max(LEASE_SECONDS, pause)
  return { pending: Math.max(least, ...steps), givenUp: Math.max(least, late) }
}

/** Returns the seconds from one attempt (the first is 0) to the next; null after the last. */
export function secondsToNextAttempt(times: readonly number[], attempt: number): number | null {
  const [now, next] = [times[attempt], times[attempt + 1]]
  return now === undefined || next === undefined ? null : next - now
}
