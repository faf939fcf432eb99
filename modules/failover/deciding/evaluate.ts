import { awaitsApproval } from '../approval.ts'
import type { FailoverContext } from '../context.ts'
import { decide, type Situation, type Votes } from './decision.ts'
import { noteProblem } from './state-queries.ts'
import { switchAutomatically, tellProblem } from './switch.ts'
import { findTally, type Tally } from './tally-queries.ts'

const NO_VOTES: Votes = { unknown: 0, answering: 0, up: 0, failing: 0, down: 0 }

/** The votes about each alternative. */
export const votesOf = ({ alternatives, votes }: Pick<Tally, 'alternatives' | 'votes'>): Votes[] =>
  alternatives.map((_, at) => ({ ...NO_VOTES, ...votes[String(at)] }))

const situationOf = (tally: Tally): Situation => ({
  active: tally.active,
  votes: votesOf(tally),
  living: tally.living,
  back: tally.back,
  isPaused: tally.paused !== null,
  isUnapproved: awaitsApproval(tally),
  isMaintenance: tally.is_maintenance,
  isBusy: tally.is_busy,
  isHeld: tally.is_held,
})

/**
 * Decides about a monitor by what all living instances found, and does it. Any instance may call it at any time: what it
 * decided is checked again in the statement that takes the switch.
 */
export async function evaluate(context: FailoverContext, id: string): Promise<void> {
  const { db, leases, times } = context
  const tally = await findTally(db, id, times)
  if (!tally) return
  const decision = decide(situationOf(tally))
  if (decision.kind === 'stay') {
    if (decision.reason === 'no_alternative') await tellProblem(context, tally, 'no_alternative')
    const works = decision.reason === 'preferred_works' || decision.reason === 'works'
    if (works && tally.problem !== null) await noteProblem(db, id, null)
    return
  }
  // Only spares the others the attempt.
  if (!(await leases.take('failover', id))) return
  try {
    await switchAutomatically(context, tally, decision)
  } finally {
    await leases.end('failover', id)
  }
}
