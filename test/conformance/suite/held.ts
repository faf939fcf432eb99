import { isDeepStrictEqual } from 'node:util'
import { writeEdits } from '../../../modules/records/apply/provider/completion.ts'
import type { Member, RRset, RRsetEdit } from '../../../modules/providers/contract.ts'
import type { Case } from './case.ts'
import {
  otherTtl,
  TTL,
  add,
  applyEdits,
  edit,
  expectError,
  remove,
  replace,
  rrset,
  type Subject,
  type Session,
} from './subject.ts'

const A = '192.0.2.1'
const B = '192.0.2.2'
const C = '192.0.2.3'

const adding = (member: Member): RRsetEdit['changes'][number] => ({ action: 'add', member })
const changing = (from: Member, to: Member): RRsetEdit['changes'][number] => ({ action: 'replace', from, to })
const www = (...members: Member[]): RRset => ({ ...rrset('www', 'A', []), members })
const noDelay = ({ delay }: Subject) => (delay === undefined ? 'the provider is done when it answers' : null)

/** Without the zone's own name servers, which come from the provider. */
const listed = async (list: Session['list']): Promise<RRset[]> =>
  (await list()).rrsets.filter(({ name, type }) => name !== '@' || type !== 'NS')

/* What providers hold beside names, types and values, and how long they take. */
export const heldCases: Case[] = [
  {
    name: 'what we have no words for is given back with every write',
    obstacle: ({ extra }) =>
      extra === undefined ? 'the provider holds nothing that there are no words for' : null,
    async run(t, { subject, apply }) {
      const look = await subject.extra?.()
      const before = await look?.()
      t.ok(before)
      await apply([edit('extra', 'A', [replace(A, C)])])
      t.notOk(isDeepStrictEqual(await look?.(), before))
      await apply([edit('extra', 'A', [replace(C, A)])])
      t.same(await look?.(), before, 'after a value was changed and restored')
      await apply([edit('extra', 'A', [add(C)])])
      await apply([edit('extra', 'A', [remove(C)])])
      t.same(await look?.(), before, 'after a sibling came and went')
    },
  },
  {
    name: 'several sets of one name and type stand side by side',
    needs: ['routing'],
    async run(t, { subject, adapter, zone, list, apply }) {
      const [one, other] = subject.routings ?? []
      if (!one || !other) throw new Error('A provider with several sets needs two of them to be tried')
      const sets = [
        { ...rrset('www', 'A', [A]), routing: one },
        { ...rrset('www', 'A', [B]), routing: other },
      ]
      const inOrder = (rrsets: RRset[]) =>
        rrsets.toSorted((a, b) => (a.routing?.key ?? '').localeCompare(b.routing?.key ?? ''))
      await apply(
        sets.map(({ routing, members }) => ({
          ...edit('www', 'A', members.map(adding)),
          routing,
        })),
      )
      t.same(inOrder(await subject.dump()), inOrder(sets))
      t.same(inOrder(await listed(list)), inOrder(sets))
      t.match(await adapter.readRRset(zone, 'www', 'A', other), { routing: other, members: [{ value: B }] })
      await apply([{ ...edit('www', 'A', [add(C)]), routing: one }])
      await apply([{ ...edit('www', 'A', [remove(B)]), routing: other }])
      t.same(await subject.dump(), [{ ...rrset('www', 'A', [A, C]), routing: one }], 'each is written alone')
    },
  },
  {
    name: 'comments: made, changed, taken away, and kept otherwise',
    needs: ['comments'],
    async run(t, { subject, list, apply }) {
      await apply([edit('www', 'A', [adding({ value: A, comment: 'one; "two" ü' }), add(B)])])
      const commented = (comment: string) => www({ value: A, comment }, { value: B })
      t.same(await subject.dump(), [commented('one; "two" ü')])
      t.same(await listed(list), [commented('one; "two" ü')])
      await apply([edit('www', 'A', [changing({ value: A }, { value: A, comment: 'another' })])])
      t.same(await subject.dump(), [commented('another')])
      await apply([edit('www', 'A', [replace(B, C)])])
      t.same(await subject.dump(), [www({ value: A, comment: 'another' }, { value: C })], 'a sibling changed')
      await apply([edit('www', 'A', [changing({ value: A }, { value: A, comment: '' })])])
      t.same(await subject.dump(), [rrset('www', 'A', [A, C])])
    },
  },
  {
    name: 'disabled records: shown as such, and changed only as such',
    needs: ['disabledRecords'],
    async run(t, { adapter, zone, list, apply }) {
      const isOff = { value: A, disabled: true }
      const held = () => listed(list)
      await apply([edit('www', 'A', [adding(isOff), add(B)])])
      t.same(await held(), [www(isOff, { value: B })])
      await apply([edit('www', 'A', [remove(A)])])
      t.same(await held(), [www(isOff, { value: B })], 'who knows it as served does not take it away')
      await apply([edit('www', 'A', [replace(B, C)])])
      t.same(await held(), [www(isOff, { value: C })], 'a sibling changed')
      await apply([edit('www', 'A', [changing(isOff, { value: A })])])
      t.same(await held(), [rrset('www', 'A', [A, C])], 'enabled')
      await apply([edit('www', 'A', [changing({ value: A }, isOff), remove(C)])])
      t.same(await held(), [www(isOff)], 'disabled')
      await apply([edit('www', 'A', [{ action: 'remove', member: isOff }])])
      t.equal(await adapter.readRRset(zone, 'www', 'A'), null)
    },
  },
  {
    name: 'through the proxy, and beside it',
    needs: ['proxied'],
    async run(t, { subject, list, apply }) {
      const proxied = { value: A, proxied: true }
      // How long a proxy's addresses stand is for the provider to say, where it chooses TTLs.
      const ttl = subject.provider.capabilities.automaticTtl ? null : TTL
      await apply([edit('www', 'A', [adding(proxied)], ttl)])
      t.same(await subject.dump(), [{ ...www(proxied), ttl }])
      t.same(await listed(list), [{ ...www(proxied), ttl }])
      await apply([edit('www', 'A', [add(B)], ttl)])
      await apply([edit('www', 'A', [changing(proxied, { value: A, proxied: false }), replace(B, B)])])
      t.same(await subject.dump(), [rrset('www', 'A', [A, B])])
    },
  },
  {
    name: 'a TTL for each record',
    needs: ['recordTtl'],
    async run(t, { subject, list, apply }) {
      await apply([edit('www', 'A', [add(A)], TTL)])
      await apply([edit('www', 'A', [add(B)], otherTtl(subject))])
      const wanted = { ...www({ value: A, ttl: TTL }, { value: B, ttl: otherTtl(subject) }), ttl: null }
      t.same(await subject.dump(), [wanted])
      t.same(await listed(list), [wanted])
      await apply([edit('www', 'A', [replace(A, A)], otherTtl(subject))])
      t.same(await subject.dump(), [rrset('www', 'A', [A, B], otherTtl(subject))], 'changed of one alone')
    },
  },
  {
    name: 'a TTL that the provider chooses',
    needs: ['automaticTtl'],
    async run(t, { subject, list, apply }) {
      await apply([edit('www', 'A', [add(A)], null)])
      t.same(await subject.dump(), [rrset('www', 'A', [A], null)])
      t.same(await listed(list), [rrset('www', 'A', [A], null)])
      await apply([edit('www', 'A', [replace(A, A)], otherTtl(subject))])
      t.same(await subject.dump(), [rrset('www', 'A', [A], otherTtl(subject))])
      await apply([edit('www', 'A', [replace(A, A)], null)])
      t.same(await subject.dump(), [rrset('www', 'A', [A], null)])
    },
  },
  {
    name: 'what is taken and not finished is waited for',
    obstacle: noDelay,
    async run(t, { subject, apply }) {
      subject.delay?.set(1)
      await apply([edit('www', 'A', [add(A)])])
      t.equal(subject.delay?.left(), 0)
      t.same(await subject.dump(), [rrset('www', 'A', [A])])
    },
  },
  {
    name: 'of what is not finished in time nobody knows the end',
    obstacle: noDelay,
    async run(t, { subject, adapter, zone, sent }) {
      subject.delay?.set(Infinity)
      const edits = await sent([edit('www', 'A', [add(A)])])
      await expectError(
        t,
        subject,
        writeEdits(adapter, zone, edits, { lastTry: Date.now(), cutOff: new AbortController().signal }),
        'timeout',
        'unknown',
      )
      subject.delay?.set(0)
    },
  },
  {
    name: 'what is written and not in force is put so by a repeat',
    obstacle: ({ commits }) => (commits === undefined ? 'what is written to the provider is in force' : null),
    async run(t, { subject, adapter, zone, sent }) {
      subject.commits?.fail(1)
      const edits = await sent([edit('www', 'A', [add(A)])])
      await expectError(t, subject, applyEdits(adapter, zone, edits), 'unavailable', 'unknown')
      t.notOk(subject.commits?.isInForce())
      await adapter.commit?.(zone)
      await adapter.commit?.(zone)
      t.ok(subject.commits?.isInForce())
      t.same(await subject.dump(), [rrset('www', 'A', [A])])
    },
  },
]
