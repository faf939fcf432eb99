import type { FailoverMonitorsTable, FailoverVerdictsTable } from '../../../db/tables/index.ts'

type Vote = FailoverVerdictsTable['state']

/** What the living instances found about one alternative; those without a fresh verdict are not in it. */
export type Votes = Record<Vote, number>

/** What a majority of the living instances says about an alternative. `answering`: it works, but not for long yet. */
export type Health = 'up' | 'answering' | 'down' | 'undecided'

export interface Situation {
  /** Position of the alternative that is served. */
  active: number
  /** Of each alternative, the preferred first. */
  votes: readonly Votes[]
  /** Living instances, with or without verdicts. */
  living: number
  back: FailoverMonitorsTable['back']
  isPaused: boolean
  /** Its alternatives wait for the approval of a second person. */
  isUnapproved: boolean
  isMaintenance: boolean
  /** A switch is not finished yet, or has just failed. */
  isBusy: boolean
  /** Less than the hold-down time has passed since the last switch. */
  isHeld: boolean
}

/** What to do. `stay`: nothing, for this reason. */
export type Decision =
  | { kind: 'switch'; to: number; by: 'failure' | 'recovery' }
  | { kind: 'stay'; reason: StayReason }

export type StayReason =
  | 'paused'
  | 'unapproved'
  | 'maintenance'
  | 'busy'
  | 'preferred_works'
  | 'works'
  | 'held'
  | 'undecided'
  | 'no_alternative'

/** What more than half of the living instances say. */
export function healthBy(
  { up, answering, down }: Omit<Votes, 'unknown' | 'failing'>,
  living: number,
): Health {
  const isMajority = (count: number) => count > living / 2
  if (isMajority(down)) return 'down'
  if (isMajority(up)) return 'up'
  if (isMajority(up + answering)) return 'answering'
  return 'undecided'
}

/**
 * Decides what is served, from what all instances found. An alternative is left only if it is down, or for a preferred one
 * that is up again. The hold-down delays the way back, never the way out of an outage.
 */
export function decide(situation: Situation): Decision {
  const { active, votes, living, back } = situation
  if (situation.isPaused) return stay('paused')
  if (situation.isUnapproved) return stay('unapproved')
  if (situation.isBusy) return stay('busy')
  if (situation.isMaintenance) return stay('maintenance')
  const health = votes.map((each) => healthBy(each, living))
  if (health[active] === 'down') {
    const to = health.findIndex((state, at) => at !== active && (state === 'up' || state === 'answering'))
    return to === -1 ? stay('no_alternative') : { kind: 'switch', to, by: 'failure' }
  }
  const preferred = health.findIndex((state, at) => at < active && state === 'up')
  if (preferred !== -1 && back === 'automatic') {
    return situation.isHeld ? stay('held') : { kind: 'switch', to: preferred, by: 'recovery' }
  }
  const works = health[active] === 'up' || health[active] === 'answering'
  if (works) return stay(active === 0 ? 'preferred_works' : 'works')
  return stay('undecided')
}

const stay = (reason: StayReason): Decision => ({ kind: 'stay', reason })
