import t from 'tap'
import { CLASS, TYPE } from '../../dns/wire/message.ts'
import { typeName } from '../../dns/wire/type-codes.ts'
import { typeOf, type RecordType } from '../../dns/types/index.ts'
import type { HeldRRset } from '../../modules/providers/adapters/rfc2136/zone-content.ts'
import { planUpdate } from '../../modules/providers/adapters/rfc2136/zone-update.ts'
import type { RRsetEdit } from '../../modules/providers/contract.ts'
import { add, edit, remove, replace } from '../conformance/suite/subject.ts'

/* What an update says for edits, line by line as nsupdate would. */

const ZONE = { id: 'example.com', name: 'example.com' }

function held(name: string, type: RecordType, values: string[], ttl = 300): [string, HeldRRset] {
  const data = values.map((value) => typeOf(type).toWire(value))
  return [`${type} ${name}`, { name, type, ttl, data }]
}

function plan(before: [string, HeldRRset][], ...edits: RRsetEdit[]) {
  const { prerequisites, updates } = planUpdate(ZONE, edits, new Map(before))
  const line = ({ name, type, class: of, ttl, data }: (typeof updates)[number]) => {
    const kind = type === TYPE.ANY ? 'ANY' : typeName(type)
    const value = data.length === 0 ? '' : typeOf(kind as RecordType).fromWire(data)
    const said = { [CLASS.IN]: ttl === 0 ? 'is' : `add ${ttl}`, [CLASS.NONE]: 'none', [CLASS.ANY]: 'any' }[of]
    return [said, name.replace('.example.com', ''), kind, value].join(' ').trimEnd()
  }
  return { prerequisites: prerequisites.map(line), updates: updates.map(line) }
}

void t.test('each RRset is held to what it was, and replaced', async (t) => {
  t.same(plan([held('www', 'A', ['192.0.2.1'])], edit('www', 'A', [add('192.0.2.2')], 300)), {
    prerequisites: ['is www A 192.0.2.1'],
    updates: ['any www A', 'add 300 www A 192.0.2.1', 'add 300 www A 192.0.2.2'],
  })
  t.same(plan([], edit('www', 'A', [add('192.0.2.2')], 300)), {
    prerequisites: ['none www A', 'none www CNAME'],
    updates: ['add 300 www A 192.0.2.2'],
  })
  t.same(plan([held('www', 'A', ['192.0.2.1'])], edit('www', 'A', [remove('192.0.2.1')], 300)), {
    prerequisites: ['is www A 192.0.2.1'],
    updates: ['any www A'],
  })
  t.same(plan([held('www', 'A', ['192.0.2.1'])], edit('www', 'A', [add('192.0.2.1')], 300)), {
    prerequisites: ['is www A 192.0.2.1'],
    updates: [],
  })
})

void t.test('a CNAME stands alone', async (t) => {
  const cname = edit('www', 'CNAME', [add('x.example.net')], 300)
  t.same(plan([], cname), {
    prerequisites: ['none www CNAME', 'none www ANY'],
    updates: ['add 300 www CNAME x.example.net'],
  })
  const both = plan([held('www', 'A', ['192.0.2.1'])], cname, edit('www', 'A', [remove('192.0.2.1')], 300))
  t.same(both.updates, ['any www A', 'add 300 www CNAME x.example.net'], 'after what made room')
  t.ok(both.prerequisites.includes('none www TXT'), 'of all other types it is said one by one')
  const other = replace('x.example.net', 'y.example.net')
  t.same(plan([held('www', 'CNAME', ['x.example.net'])], edit('www', 'CNAME', [other], 300)).updates, [
    'add 300 www CNAME y.example.net',
  ])
  t.throws(() => plan([held('www', 'A', ['192.0.2.1'])], cname), { message: /www has A records/ })
  t.throws(() => plan([], cname, edit('www', 'A', [add('192.0.2.1')], 300)), { message: /stands alone/ })
})

void t.test('name servers of the zone are never all gone', async (t) => {
  const before = [held('@', 'NS', ['a.test', 'b.test'])]
  const at = ZONE.name
  t.same(plan(before, edit('@', 'NS', [replace('a.test', 'c.test')], 300)).updates, [
    `add 300 ${at} NS b.test`,
    `add 300 ${at} NS c.test`,
    `none ${at} NS a.test`,
  ])
  t.same(plan(before, edit('@', 'NS', [], 600)).updates, [
    `add 600 ${at} NS invalid`,
    `add 600 ${at} NS a.test`,
    `add 600 ${at} NS b.test`,
    `none ${at} NS invalid`,
  ])
  const none = edit('@', 'NS', [remove('a.test'), remove('b.test')], 300)
  t.throws(() => plan(before, none), { message: /at least one name server/ })
})
