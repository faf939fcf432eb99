import type { FailoverVerdictsTable } from '../../../db/tables/index.ts'

export type VerdictState = FailoverVerdictsTable['state']

/** What an instance remembers of the checks of one alternative. */
export interface Streak {
  state: VerdictState
  /** Equal results in a row. */
  count: number
  last: boolean | null
}

export const NO_STREAK: Streak = { state: 'unknown', count: 0, last: null }

/**
 * The streak after one more check. An alternative is down after so many failures in a row, and up again only after so many
 * successes in a row. A single failure counts at once only against a switch to it. Null, where the instance could not tell, changes nothing.
 */
export function advance(
  streak: Streak,
  ok: boolean | null,
  { failures, successes }: { failures: number; successes: number },
): Streak {
  if (ok === null) return streak
  const count = streak.last === ok ? streak.count + 1 : 1
  return { state: stateAfter(streak.state, ok, count, failures, successes), count, last: ok }
}

function stateAfter(
  state: VerdictState,
  ok: boolean,
  count: number,
  failures: number,
  successes: number,
): VerdictState {
  if (ok) {
    if (count >= successes || state === 'failing' || state === 'up') return 'up'
    return state === 'unknown' ? 'answering' : state
  }
  if (count >= failures) return 'down'
  if (state === 'up') return 'failing'
  // It has not answered often enough to be trusted after its first failure.
  return state === 'answering' ? 'unknown' : state
}
