import { batchesOf } from '../../../modules/records/apply/provider/batches.ts'
import { UnknownSiblings, type RRsetEdit } from '../../../modules/providers/contract.ts'
import type { Case } from './case.ts'
import { add, applyEdits, edit, remove, replace, rrset, sorted } from './subject.ts'

const A = '192.0.2.1'
const B = '192.0.2.2'
const C = '192.0.2.3'
const D = '192.0.2.4'

/** The edit as the service sends it that knows these values, and what it hears of others. */
function knowing(base: RRsetEdit, known: string[], more: { exact?: boolean } = {}) {
  const heard: string[][] = []
  return {
    heard,
    edit: { ...base, ...more, known, found: (values: readonly string[]) => heard.push([...values]) },
  }
}

/* Values that somebody else added to a set that is written. */
export const siblingCases: Case[] = [
  {
    name: 'an unknown sibling was added at the provider: a single write keeps and reports it',
    async run(t, { subject, adapter, zone, sent }) {
      await subject.seed([rrset('www', 'A', [A, B]), rrset('txt', 'A', [A])])
      const writes: [RRsetEdit, string[]][] = [
        [edit('www', 'A', [add(C)]), [A, B, C]],
        [edit('www', 'A', [replace(C, D)]), [A, B, D]],
        [edit('www', 'A', [remove(D)]), [A, B]],
      ]
      for (const [base, left] of writes) {
        const { heard, edit: one } = knowing(base, [A])
        await applyEdits(adapter, zone, await sent([one]))
        t.same(heard.at(-1), [B], `after ${base.changes[0]?.action}`)
        t.same(await subject.dump(), [rrset('txt', 'A', [A]), rrset('www', 'A', left)])
      }
      const { heard, edit: all } = knowing(edit('www', 'A', [add(C)]), [A, B])
      await applyEdits(adapter, zone, await sent([all]))
      t.same(heard.at(-1), [], 'known values are not reported')
    },
  },
  {
    name: 'an unknown sibling was added at the provider: a write of the whole set writes nothing and names it',
    async run(t, { subject, adapter, zone, sent }) {
      await subject.seed([rrset('www', 'A', [A, B])])
      for (const base of [edit('www', 'A', [replace(A, C)]), edit('www', 'A', [remove(A)])]) {
        const { edit: one } = knowing(base, [A], { exact: true })
        const error: unknown = await applyEdits(adapter, zone, await sent([one])).catch((e: unknown) => e)
        t.ok(error instanceof UnknownSiblings)
        t.match(error, {
          kind: 'conflict',
          outcome: 'not_applied',
          values: [B],
          rrset: { name: 'www', type: 'A' },
        })
        t.same(await subject.dump(), [rrset('www', 'A', [A, B])])
      }
      const { edit: whole } = knowing(edit('www', 'A', [remove(B), replace(A, C)]), [A, B], { exact: true })
      await applyEdits(adapter, zone, await sent([whole]))
      t.same(await subject.dump(), [rrset('www', 'A', [C])], 'once it is known it goes')
    },
  },
  {
    name: 'unknown siblings of many sets are reported for each',
    async run(t, { subject, adapter, zone, sent }) {
      const names = Array.from({ length: 8 }, (_, i) => `host-${i}`)
      await subject.seed(names.map((name) => rrset(name, 'A', [A, B])))
      const edits = names.map((name, i) => knowing(edit(name, 'A', [add(C)]), i % 2 === 0 ? [A] : [A, B]))
      const wanted = await sent(edits.map((one) => one.edit))
      for (const batch of batchesOf(wanted, subject.provider.capabilities))
        await applyEdits(adapter, zone, batch)
      t.same(
        edits.map(({ heard }) => heard.at(-1)),
        names.map((_, i) => (i % 2 === 0 ? [B] : [])),
      )
      t.same(await subject.dump(), sorted(names.map((name) => rrset(name, 'A', [A, B, C]))))
    },
  },
]
