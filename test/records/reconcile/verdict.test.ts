import t from 'tap'
import type { RecordContent } from '../../../modules/records/plan/change.ts'
import { judge, type PendingStep } from '../../../modules/records/reconcile/verdict.ts'

/** "value" or "value ttl", of the A records of www; "-value" is disabled. */
function content(text: string | null): RecordContent | null {
  if (text === null) return null
  const [value = '', ttl = '300'] = text.replace(/^-/, '').split(' ')
  return {
    name: 'www',
    type: 'A',
    value,
    ttl: Number(ttl),
    priority: null,
    proxied: false,
    enabled: !text.startsWith('-'),
    comment: '',
    routing: null,
    extra: null,
  }
}

type Line = [action: PendingStep['action'], before: string | null, after: string | null]

const cases: { name: string; steps: Line[]; there: string[]; ttl?: number; outcomes: string[] }[] = [
  {
    name: 'a create that happened',
    steps: [['create', null, 'a']],
    there: ['a', 'z'],
    outcomes: ['applied'],
  },
  { name: 'a create that did not', steps: [['create', null, 'a']], there: ['z'], outcomes: ['failed'] },
  { name: 'a delete that happened', steps: [['delete', 'a', null]], there: [], outcomes: ['applied'] },
  { name: 'a delete that did not', steps: [['delete', 'a', null]], there: ['a'], outcomes: ['failed'] },
  { name: 'an update that happened', steps: [['update', 'a', 'b']], there: ['b'], outcomes: ['applied'] },
  { name: 'an update that did not', steps: [['update', 'a', 'b']], there: ['a'], outcomes: ['failed'] },
  { name: 'neither value', steps: [['update', 'a', 'b']], there: ['z'], outcomes: ['failed unconfirmed'] },
  {
    name: 'a TTL that was set',
    steps: [['update', 'a', 'a 600']],
    there: ['a'],
    ttl: 600,
    outcomes: ['applied'],
  },
  { name: 'a TTL that was not', steps: [['update', 'a', 'a 600']], there: ['a'], outcomes: ['failed'] },
  {
    name: 'independent steps are judged each alone',
    steps: [
      ['create', null, 'a'],
      ['create', null, 'b'],
    ],
    there: ['b'],
    outcomes: ['failed', 'applied'],
  },
  {
    name: 'one takes the place of another: happened',
    steps: [
      ['delete', 'a', null],
      ['update', 'b', 'a'],
    ],
    there: ['a'],
    outcomes: ['applied', 'applied'],
  },
  {
    name: 'one takes the place of another: not happened',
    steps: [
      ['delete', 'a', null],
      ['update', 'b', 'a'],
    ],
    there: ['a', 'b'],
    outcomes: ['failed', 'failed'],
  },
  {
    name: 'a create takes the place of an update: happened',
    steps: [
      ['update', 'a', 'b'],
      ['create', null, 'a'],
    ],
    there: ['a', 'b'],
    outcomes: ['applied', 'applied'],
  },
  {
    name: 'a create takes the place of an update: not happened',
    steps: [
      ['update', 'a', 'b'],
      ['create', null, 'a'],
    ],
    there: ['a'],
    outcomes: ['failed', 'failed'],
  },
  {
    name: 'a chain of three: happened, and one was taken away since',
    steps: [
      ['update', 'a', 'b'],
      ['update', 'b', 'c'],
      ['update', 'c', 'd'],
    ],
    there: ['b', 'd'],
    outcomes: ['applied', 'applied unconfirmed', 'applied'],
  },
  {
    name: 'a chain: not happened, and one was taken away since',
    steps: [
      ['update', 'a', 'b'],
      ['update', 'b', 'c'],
    ],
    there: ['a'],
    outcomes: ['failed', 'failed unconfirmed'],
  },
  {
    name: 'deleted and made again with another TTL: happened',
    steps: [
      ['delete', 'a', null],
      ['create', null, 'a 600'],
    ],
    there: ['a'],
    ttl: 600,
    outcomes: ['applied', 'applied'],
  },
  {
    name: 'deleted and made again with another TTL: not happened',
    steps: [
      ['delete', 'a', null],
      ['create', null, 'a 600'],
    ],
    there: ['a'],
    outcomes: ['failed', 'failed'],
  },
  { name: 'enabled: happened', steps: [['update', '-a', 'a']], there: ['a'], outcomes: ['applied'] },
  { name: 'enabled: not happened', steps: [['update', '-a', 'a']], there: ['-a'], outcomes: ['failed'] },
  { name: 'disabled: happened', steps: [['update', 'a', '-a']], there: ['-a'], outcomes: ['applied'] },
  { name: 'disabled: not happened', steps: [['update', 'a', '-a']], there: ['a'], outcomes: ['failed'] },
  { name: 'a disabled one was made', steps: [['create', null, '-a']], there: ['-a'], outcomes: ['applied'] },
  {
    name: 'a disabled one gives way to one that is served: not happened',
    steps: [
      ['delete', '-a', null],
      ['create', null, 'a'],
    ],
    there: ['-a'],
    outcomes: ['failed', 'failed'],
  },
]

for (const { name, steps, there, ttl = 300, outcomes } of cases) {
  void t.test(name, async (t) => {
    const pending = steps.map(([action, before, after]) => ({
      action,
      before: content(before),
      after: content(after),
      providerId: null,
    }))
    const members = there.map((text) =>
      text.startsWith('-') ? { value: text.slice(1), disabled: true } : { value: text },
    )
    const judged = judge(pending, new Map([['A www', { name: 'www', type: 'A', ttl, members }]]))
    t.same(
      judged.map((result) =>
        'unconfirmed' in result && result.unconfirmed ? `${result.outcome} unconfirmed` : result.outcome,
      ),
      outcomes,
    )
  })
}
