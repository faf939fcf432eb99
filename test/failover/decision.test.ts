import t from 'tap'
import {
  decide,
  healthBy,
  type Decision,
  type Situation,
  type Votes,
} from '../../modules/failover/deciding/decision.ts'
import { advance, NO_STREAK, type Streak } from '../../modules/failover/watching/streaks.ts'

const votes = (given: Partial<Votes>): Votes => ({
  unknown: 0,
  answering: 0,
  up: 0,
  failing: 0,
  down: 0,
  ...given,
})

const situation = (given: Partial<Situation>): Situation => ({
  active: 0,
  votes: [votes({ up: 3 }), votes({ up: 3 })],
  living: 3,
  back: 'automatic',
  isPaused: false,
  isUnapproved: false,
  isMaintenance: false,
  isBusy: false,
  isHeld: false,
  ...given,
})

const stay = (reason: string) => ({ kind: 'stay', reason }) as Decision
const to = (at: number, by: 'failure' | 'recovery'): Decision => ({ kind: 'switch', to: at, by })
const DOWN = votes({ down: 3 })
const UP = votes({ up: 3 })

void t.test('a majority of all living instances decides, whether they have a verdict or not', (t) => {
  for (let living = 1; living <= 5; living++) {
    for (let down = 0; down <= living; down++) {
      for (let up = 0; up + down <= living; up++) {
        const health = healthBy(votes({ up, down }), living)
        const expected = down * 2 > living ? 'down' : up * 2 > living ? 'up' : 'undecided'
        t.equal(health, expected, `${down} down and ${up} up of ${living}`)
      }
    }
  }
  t.equal(healthBy(votes({}), 0), 'undecided', 'nobody lives')
  t.equal(healthBy(votes({ up: 1, answering: 1 }), 3), 'answering')
  t.equal(healthBy(votes({ failing: 2, up: 1 }), 3), 'undecided', 'one failure is no outage')
  t.end()
})

void t.test('leaves an alternative only by a majority, and only for one that works', (t) => {
  t.same(decide(situation({})), stay('preferred_works'))
  t.same(decide(situation({ votes: [DOWN, UP] })), to(1, 'failure'))
  t.same(decide(situation({ votes: [DOWN, DOWN] })), stay('no_alternative'))
  t.same(decide(situation({ votes: [DOWN, votes({ answering: 2 })] })), to(1, 'failure'))
  for (const other of [votes({}), votes({ up: 1 }), votes({ failing: 3 }), votes({ unknown: 3 })])
    t.same(decide(situation({ votes: [DOWN, other] })), stay('no_alternative'))
  t.same(decide(situation({ votes: [votes({ down: 1, up: 2 }), UP] })), stay('preferred_works'))
  t.same(decide(situation({ living: 2, votes: [votes({ down: 1, up: 1 }), UP] })), stay('undecided'))
  t.same(
    decide(situation({ living: 4, votes: [votes({ down: 2 }), UP] })),
    stay('undecided'),
    'half is no majority',
  )
  t.same(decide(situation({ votes: [DOWN, DOWN, UP] })), to(2, 'failure'), 'the next that works')
  t.same(decide(situation({ votes: [votes({ down: 1 }), votes({ up: 1 })], living: 1 })), to(1, 'failure'))
  t.end()
})

void t.test('goes back to a preferred one after its successes and the hold-down', (t) => {
  t.same(decide(situation({ active: 1 })), to(0, 'recovery'))
  t.same(decide(situation({ active: 1, isHeld: true })), stay('held'))
  t.same(decide(situation({ active: 1, back: 'manual' })), stay('works'))
  t.same(decide(situation({ active: 1, votes: [votes({ answering: 3 }), UP] })), stay('works'), 'not up yet')
  t.same(decide(situation({ active: 1, votes: [DOWN, UP] })), stay('works'))
  t.same(decide(situation({ active: 2, votes: [DOWN, UP, UP] })), to(1, 'recovery'), 'the best that is up')
  t.same(
    decide(situation({ active: 1, votes: [UP, DOWN], isHeld: true, back: 'manual' })),
    to(0, 'failure'),
    'hold-down and manual return do not keep an outage',
  )
  t.same(decide(situation({ active: 1, votes: [DOWN, DOWN] })), stay('no_alternative'))
  t.end()
})

void t.test('nothing is switched while it must not', (t) => {
  const outage = { votes: [DOWN, UP] }
  for (const [member, reason] of [
    ['isPaused', 'paused'],
    ['isUnapproved', 'unapproved'],
    ['isBusy', 'busy'],
    ['isMaintenance', 'maintenance'],
  ] as const) {
    t.same(decide(situation({ ...outage, [member]: true })), stay(reason))
    t.same(decide(situation({ active: 1, [member]: true })), stay(reason))
  }
  t.end()
})

const LIMITS = { failures: 3, successes: 2 }
const after = (results: (boolean | null)[], limits = LIMITS, from: Streak = NO_STREAK) =>
  results.reduce((streak, ok) => advance(streak, ok, limits), from).state

void t.test('an alternative is down after failures in a row, and up after successes in a row', (t) => {
  const [yes, no] = [true, false]
  t.equal(after([]), 'unknown')
  t.equal(after([yes]), 'answering')
  t.equal(after([yes, yes]), 'up')
  t.equal(after([yes, no]), 'unknown')
  t.equal(after([yes, yes, no]), 'failing')
  t.equal(after([yes, yes, no, no]), 'failing')
  t.equal(after([yes, yes, no, no, no]), 'down')
  t.equal(after([no, no, no, yes]), 'down', 'one success does not end an outage')
  t.equal(after([no, no, no, yes, no, yes]), 'down')
  t.equal(after([no, no, no, yes, yes]), 'up')
  t.equal(after([yes, yes, no, yes]), 'up')
  t.equal(after([no, null, no, null, no]), 'down', 'what could not be told changes nothing')
  t.equal(after([yes, yes, null, null, null]), 'up')
  t.equal(after([no], { failures: 1, successes: 1 }), 'down')
  t.end()
})

void t.test('a flapping target is neither down nor trusted', (t) => {
  const flapping = Array.from({ length: 40 }, (_, i) => i % 2 === 0)
  t.notOk(['down', 'up'].includes(after(flapping)), 'from the start')
  t.notOk(flapping.some((_, i) => after([true, true, ...flapping.slice(0, i)]) === 'down'))
  t.notOk(
    flapping.some((_, i) => after([false, false, false, ...flapping.slice(0, i)]) === 'up'),
    'once down, it stays down',
  )
  t.end()
})
