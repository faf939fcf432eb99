import { pluralOf } from '../formats.ts'

const plural = pluralOf('en-US')

export const failover = {
  title: 'Failover',
  about:
    'Monitors check the alternatives of an RRset, and switch to a working one. Set them up through the API or the command line.',
  none: 'No failover monitors yet.',
  state: {
    preferred: 'preferred alternative',
    failed_over: 'failed over',
    down: 'down',
    undecided: 'not decided yet',
    maintenance: 'maintenance',
    paused: 'paused',
    unapproved: 'needs approval',
  },
  health: { up: 'up', answering: 'coming back', down: 'down', undecided: 'not known yet' },
  switching: 'Switching now.',
  next: 'Next check',
  last: 'Last check',
  interval: 'Interval',
  every: (seconds: number) => plural(seconds, { one: 'every # second', other: 'every # seconds' }),
  instances: 'Instances',
  switched: 'Last switch',
  causes: { failure: 'after a failure', recovery: 'after a recovery', hand: 'by hand' },
  showChange: 'Show in history',
  pauses: {
    hand: 'Paused by a user.',
    records_changed: 'Paused, because somebody else changed the records.',
    author: 'Paused, because its author may no longer change the records.',
    partial: 'Paused, because a switch was applied only in part.',
  },
  problems: {
    no_alternative: 'No alternative works, so nothing was switched.',
    not_applied: 'The switch could not be applied.',
    partial: 'The switch was applied only in part.',
  } as Record<string, string>,
  served: 'served',
  latency: (ms: string) => `${ms} ms`,
  chart: (name: string, checks: number, failed: number, ms: string) =>
    `${name}: ${plural(checks, { one: '# check', other: '# checks' })}, ${failed} failed, last ${ms}`,
  chartNone: 'no answer',
  said: (up: number, down: number) => `${up} up, ${down} down`,
  certificate: (day: string) => `certificate until ${day}`,
  pause: 'Pause',
  resume: 'Resume',
  approve: 'Approve alternatives',
  switchTo: (name: string) => `Switch to ${name}`,
  switchTitle: (name: string) => `Switch to ${name}?`,
  switchText: (values: string) => `The RRset becomes ${values}. It stays there until the monitor is resumed.`,
  switchDone: 'Switched',
  force: 'Also if its checks fail',
}
