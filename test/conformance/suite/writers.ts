import { ABILITIES } from '../../../scripts/provider-abilities.ts'
import type { Case } from './case.ts'
import { add, applyEdits, edit, open, remove, replace, rrset, sorted } from './subject.ts'

const A = '192.0.2.1'
const B = '192.0.2.2'
const C = '192.0.2.3'

/* Several that write, and what becomes of each record's id. */
export const writerCases: Case[] = [
  {
    name: 'two writers at once, each of what one write replaces',
    async run(t, { subject, adapter, zone, sent }) {
      const { writeUnit } = subject.provider.capabilities
      await subject.seed([rrset('www', 'A', [A]), rrset('www', 'TXT', ['stays'])])
      const other = await open(t, subject)
      const edits = await sent([
        edit('www', 'A', [add(B)]),
        writeUnit === 'record' ? edit('www', 'A', [add(C)]) : edit('www', 'TXT', [add('comes')]),
      ])
      const writes = edits.map((item, i) => () => applyEdits(i === 0 ? adapter : other, zone, [item]))
      // Who replaces whole zones is given one change of it at a time, by whichever instance.
      const answers = []
      if (writeUnit === 'zone') for (const write of writes) answers.push(await write())
      else answers.push(...(await Promise.all(writes.map((write) => write()))))
      t.ok(answers.flat(2).every(({ ok }) => ok))
      const wanted =
        writeUnit === 'record'
          ? [rrset('www', 'A', [A, B, C]), rrset('www', 'TXT', ['stays'])]
          : [rrset('www', 'A', [A, B]), rrset('www', 'TXT', ['comes', 'stays'])]
      t.same(await subject.dump(), wanted, 'nothing is lost')
    },
  },
  {
    name: 'ten writers of different names',
    obstacle: ({ provider }) =>
      provider.capabilities.writeUnit === 'zone' ? 'one write replaces the whole zone' : null,
    async run(t, { subject, adapter, zone, sent }) {
      const names = Array.from({ length: 10 }, (_, i) => `host-${i}`)
      await subject.seed(names.map((name) => rrset(name, 'A', [A])))
      const edits = await sent(names.map((name) => edit(name, 'A', [add(B)])))
      const answers = await Promise.all(edits.map((item) => applyEdits(adapter, zone, [item])))
      t.ok(answers.flat(2).every(({ ok }) => ok))
      t.same(await subject.dump(), sorted(names.map((name) => rrset(name, 'A', [A, B]))))
    },
  },
  {
    name: 'what somebody else wrote since the last look is kept',
    async run(t, { subject, adapter, zone, sent, list }) {
      await subject.seed([rrset('www', 'A', [A])])
      await list()
      const edits = await sent([edit('www', 'A', [add(C)])])
      await subject.seed([rrset('www', 'A', [A, B]), rrset('new', 'A', [A])])
      await applyEdits(adapter, zone, edits)
      t.same(await subject.dump(), [rrset('new', 'A', [A]), rrset('www', 'A', [A, B, C])])
    },
  },
  {
    name: 'ids: as listed, as answered, and those of siblings stay',
    needs: ['recordIds'],
    async run(t, { subject, adapter, zone, sent, apply }) {
      await subject.seed([rrset('www', 'A', [A, B])])
      const ids = async () => {
        const set = await adapter.readRRset(zone, 'www', 'A')
        return new Map(set?.members.map(({ value, providerId }) => [value, providerId]))
      }
      const before = await ids()
      t.equal(new Set(before.values()).size, 2, 'each has its own')
      t.same(await ids(), before, 'and the same when asked again')
      const [added] = await applyEdits(adapter, zone, await sent([edit('www', 'A', [add(C)])]))
      const after = await ids()
      t.match(added, [{ ok: true, providerId: after.get(C) }], 'the new one is answered')
      t.same([after.get(A), after.get(B)], [before.get(A), before.get(B)])
      const replacing = await sent([edit('www', 'A', [replace(C, '192.0.2.4')])])
      const [replaced] = await applyEdits(adapter, zone, replacing)
      const last = await ids()
      t.match(replaced, [{ ok: true, providerId: last.get('192.0.2.4') }], 'and that of a new value')
      const kept = last.get('192.0.2.4') === after.get(C)
      t.equal(kept, ABILITIES.stableIds.has(subject.provider.capabilities), 'which is as capabilities say')
      t.same([last.get(A), last.get(B)], [before.get(A), before.get(B)])
      await apply([edit('www', 'A', [remove(A)])])
      t.same((await ids()).get(B), before.get(B))
    },
  },
]
