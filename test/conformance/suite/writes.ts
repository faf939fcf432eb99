import { ProviderError } from '../../../modules/providers/contract.ts'
import { batchesOf } from '../../../modules/records/apply/provider/batches.ts'
import { ABILITIES } from '../../../scripts/provider-abilities.ts'
import { whyRefused, type Case } from './case.ts'
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
  skip,
  sorted,
} from './subject.ts'

const A = '192.0.2.1'
const B = '192.0.2.2'
const C = '192.0.2.3'

/* What is written, and what stays as it was. */
export const writeCases: Case[] = [
  {
    name: 'add keeps siblings',
    async run(t, { subject, apply }) {
      await subject.seed([rrset('www', 'A', [A, B])])
      await apply([edit('www', 'A', [add(C)])])
      t.same(await subject.dump(), [rrset('www', 'A', [A, B, C])])
    },
  },
  {
    name: 'remove keeps siblings; the last one takes the RRset along',
    async run(t, { subject, adapter, zone, apply }) {
      await subject.seed([rrset('www', 'A', [A, B]), rrset('www', 'TXT', ['stays'])])
      await apply([edit('www', 'A', [remove(A)])])
      t.same(await subject.dump(), [rrset('www', 'A', [B]), rrset('www', 'TXT', ['stays'])])
      await apply([edit('www', 'A', [remove(B)])])
      t.same(await subject.dump(), [rrset('www', 'TXT', ['stays'])])
      t.equal(await adapter.readRRset(zone, 'www', 'A'), null)
    },
  },
  {
    name: 'replace, alone and several at once',
    async run(t, { subject, apply }) {
      await subject.seed([rrset('www', 'A', [A, B]), rrset('mail', 'MX', ['10 mx1.example.net'])])
      await apply([edit('www', 'A', [replace(A, C)])])
      t.same(await subject.dump(), [rrset('mail', 'MX', ['10 mx1.example.net']), rrset('www', 'A', [B, C])])
      await apply([
        edit('www', 'A', [replace(B, A), remove(C), add('192.0.2.4')]),
        edit('mail', 'MX', [replace('10 mx1.example.net', '5 mx1.example.net')]),
      ])
      t.same(await subject.dump(), [
        rrset('mail', 'MX', ['5 mx1.example.net']),
        rrset('www', 'A', [A, '192.0.2.4']),
      ])
    },
  },
  {
    name: 'replace of what is gone adds; by what is there removes',
    obstacle: ({ provider }) =>
      ABILITIES.recordIds.has(provider.capabilities) ? 'what is gone has no id by which to replace it' : null,
    async run(t, { subject, apply }) {
      await subject.seed([rrset('www', 'A', [A])])
      await apply([edit('www', 'A', [replace(B, C)])])
      t.same(await subject.dump(), [rrset('www', 'A', [A, C])])
      await apply([edit('www', 'A', [replace(A, C)])])
      t.same(await subject.dump(), [rrset('www', 'A', [C])])
    },
  },
  {
    name: 'replace and remove of what somebody else took away',
    async run(t, { subject, adapter, zone, sent, apply }) {
      await subject.seed([rrset('www', 'A', [A, B, C])])
      const replacing = await sent([edit('www', 'A', [replace(A, '192.0.2.4')])])
      const removing = await sent([edit('www', 'A', [remove(A)])])
      await apply([edit('www', 'A', [remove(A)])])
      const gone = rrset('www', 'A', [B, C])
      const removed = await applyEdits(adapter, zone, removing)
      t.match(removed, [[{ ok: true }]], 'removing what is not there succeeds')
      t.same(await subject.dump(), [gone])
      const replaced = await applyEdits(adapter, zone, replacing).catch((error: unknown) => error)
      const held = await subject.dump()
      // Where a record has an id there is nothing to replace; where values count, the new one is wanted all the same.
      if (isOk(replaced)) t.same(held, [rrset('www', 'A', [B, C, '192.0.2.4'])], 'the new value is there')
      else {
        t.match(failureOf(replaced), { outcome: 'not_applied' }, 'or the provider says that it is gone')
        t.same(held, [gone])
      }
    },
  },
  {
    name: 'the TTL of a whole RRset, alone and with any change',
    needs: ['setTtl'],
    obstacle: ({ provider }) =>
      provider.capabilities.ttlOf === 'record' ? 'each record has a TTL of its own' : null,
    async run(t, { subject, apply }) {
      await subject.seed([rrset('www', 'A', [A, B])])
      await apply([edit('www', 'A', [], otherTtl(subject))])
      t.same(await subject.dump(), [rrset('www', 'A', [A, B], otherTtl(subject))])
      await apply([edit('www', 'A', [add(C)], TTL)])
      t.same(await subject.dump(), [rrset('www', 'A', [A, B, C], TTL)])
      await apply([edit('nothing', 'A', [], otherTtl(subject))])
      t.same(await subject.dump(), [rrset('www', 'A', [A, B, C], TTL)], 'of nothing: nothing')
    },
  },
  {
    name: 'the lowest and the highest TTL',
    needs: ['setTtl'],
    async run(t, { subject, apply }) {
      const { minTtl, maxTtl } = subject.provider.capabilities
      await apply([edit('low', 'A', [add(A)], minTtl), edit('high', 'A', [add(A)], maxTtl)])
      t.same(await subject.dump(), [rrset('high', 'A', [A], maxTtl), rrset('low', 'A', [A], minTtl)])
    },
  },
  {
    name: 'repeats are idempotent',
    async run(t, { subject, apply }) {
      const hard = rrset('www', 'TXT', ['a "b"'])
      const text = whyRefused(hard, subject) === null ? hard : rrset('www', 'TXT', ['a b'])
      const adding = text.members.map(({ value }) => add(value))
      for (let i = 0; i < 2; i++) await apply([edit('www', 'A', [add(A)]), edit('www', 'TXT', adding)])
      t.same(await subject.dump(), [rrset('www', 'A', [A]), text])
      for (let i = 0; i < 2; i++) await apply([edit('www', 'A', [remove(A)])])
      await apply([edit('never', 'A', [remove(A)])])
      t.same(await subject.dump(), [text])
    },
  },
  {
    name: 'as many names as one call takes, and one more',
    needs: ['batches'],
    async run(t, { subject, apply }) {
      const { capabilities } = subject.provider
      const names = Array.from({ length: capabilities.maxBatch + 1 }, (_, i) => `host-${i}`)
      await subject.seed([rrset('host-1', 'A', [B]), rrset('host-2', 'A', [A])])
      const edits = names.map((name) => edit(name, 'A', [add(A)]))
      const calls = [...batchesOf(edits, capabilities)].length
      const writes = subject.writes?.()
      await apply(edits)
      t.same(
        await subject.dump(),
        sorted(names.map((name) => rrset(name, 'A', name === 'host-1' ? [A, B] : [A]))),
      )
      if (writes === undefined) skip(t, "in as few calls as can be: the subject's calls can't be counted")
      else if (!ABILITIES.batches.has(capabilities)) skip(t, 'in as few calls as can be: it takes no batches')
      else t.equal(subject.writes?.(), writes + calls, 'in as few calls as can be')
    },
  },
  {
    name: 'one type makes room for another in one call',
    needs: ['atomicBatches'],
    async run(t, { subject, apply }) {
      await subject.seed([rrset('swap', 'A', [A, B]), rrset('back', 'CNAME', ['x.example.net'])])
      await apply([
        edit('swap', 'CNAME', [add('x.example.net')]),
        edit('swap', 'A', [remove(A), remove(B)]),
        edit('back', 'A', [add(A)]),
        edit('back', 'CNAME', [remove('x.example.net')]),
      ])
      t.same(await subject.dump(), [rrset('back', 'A', [A]), rrset('swap', 'CNAME', ['x.example.net'])])
    },
  },
  {
    name: 'what the provider refuses is not done',
    async run(t, { subject, adapter, zone, sent }) {
      await subject.seed(SEEDED)
      const answer = await applyEdits(adapter, zone, await sent([REFUSED])).catch((error: unknown) => error)
      const failure = failureOf(answer)
      t.match(failure, { outcome: 'not_applied', message: /.{20}/ }, 'with a reason')
      t.ok(failure?.kind === 'rejected' || failure?.kind === 'conflict', `kind ${failure?.kind}`)
      t.same(await subject.dump(), SEEDED)
    },
  },
  {
    name: 'of a call that is refused in part nothing is done',
    needs: ['atomicBatches'],
    async run(t, { subject, adapter, zone, sent }) {
      await subject.seed(SEEDED)
      const call = adapter.apply(zone, await sent([...FINE, REFUSED]))
      await expectError(t, subject, call, ['rejected', 'conflict'])
      t.same(await subject.dump(), SEEDED)
    },
  },
  {
    name: 'of a call that is refused in part the rest is done',
    obstacle: ({ provider: { capabilities } }) => {
      if (capabilities.maxBatch === 1) return 'the adapter is given one change at a time'
      return ABILITIES.atomicBatches.has(capabilities) ? 'the provider does a call whole or not at all' : null
    },
    async run(t, { subject, adapter, zone, sent }) {
      await subject.seed(SEEDED)
      const outcomes = await applyEdits(adapter, zone, await sent([...FINE, REFUSED]))
      t.match(outcomes.slice(0, -1), [[{ ok: true }], [{ ok: true }]])
      t.match(outcomes.at(-1), [{ ok: false, error: { outcome: 'not_applied', message: /.{20}/ } }])
      t.same(await subject.dump(), [rrset('fresh', 'A', [A]), rrset('taken', 'A', [A])])
    },
  },
]

/** A CNAME beside others (RFC 1034 section 3.6.2). */
const REFUSED = edit('taken', 'CNAME', [add('x.example.net')])
const SEEDED = [rrset('other', 'A', [A]), rrset('taken', 'A', [A])]
const FINE = [edit('fresh', 'A', [add(A)]), edit('other', 'A', [remove(A)])]

const isOk = (answer: unknown) =>
  Array.isArray(answer) && answer.flat().every((outcome: { ok: boolean }) => outcome.ok)

/** Whether the call rejected, or answered so of its one change. */
function failureOf(answer: unknown): ProviderError | null {
  if (answer instanceof ProviderError) return answer
  const [outcome] = Array.isArray(answer) ? (answer.flat() as { ok: boolean; error?: ProviderError }[]) : []
  return outcome?.error ?? null
}
