import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'

/**
 * When a provider is asked what became of a change of unknown outcome, in seconds. What it does not hold at the
 * last of these moments counts as not applied: a server that is slow, or whose database is locked, may write
 * long after we have given it up.
 */
export interface ReconcileTimes {
  /** Since its answer was lost. */
  afterLostAnswer: readonly number[]
  /** Since the change of an instance that died was found: the provider may be as slow as after a lost answer. */
  afterDeath: readonly number[]
  /** Since it was decided that it was not applied: what came later still corrects that. */
  late: number
  /** Between two searches for changes that are due. */
  sweep: number
}

export const RECONCILE_TIMES: ReconcileTimes = {
  afterLostAnswer: [2, 5, 15, 40, 90],
  afterDeath: [0, 5, 15, 40, 90],
  late: 600,
  sweep: 3,
}

/** The longest that a change waits for its next look, in seconds: pending, and given up. `pause`: after a failed look. */
export function longestWaits({ afterLostAnswer, afterDeath, late }: ReconcileTimes, pause: number) {
  const steps = [afterLostAnswer, afterDeath].flatMap((times) =>
    times.map((time, i) => time - (times[i - 1] ?? 0)),
  )
  const least = Math.max(LEASE_SECONDS, pause)
  return { pending: Math.max(least, ...steps), givenUp: Math.max(least, late) }
}

/** Seconds to the look after this one (the first is 0); null when this was the last. */
export function secondsToNextAttempt(times: readonly number[], look: number): number | null {
  const [now, next] = [times[look], times[look + 1]]
  return now === undefined || next === undefined ? null : next - now
}
