import t from 'tap'
import {
  planRecords,
  toRRset,
  type HeldRecord,
} from '../../modules/providers/shared/records/edited-records.ts'
import type { Member, MemberChange } from '../../modules/providers/contract.ts'

const ON = { value: '192.0.2.1' }
const OFF = { ...ON, disabled: true }

const held = (member: Member, id = 'id-1'): HeldRecord => ({
  id,
  name: 'www',
  type: 'A',
  routing: { key: 'eu', line: 'Europe' },
  ttl: 600,
  member,
})

/** What is written to the record, and what it then is. */
function planned(before: Member, change: MemberChange) {
  const edit = { name: 'www', type: 'A' as const, ttl: 600, changes: [change] }
  return planRecords(edit, [held(before)]).map(({ write, member }) => ({ write, member }))
}

void t.test('a record that somebody disabled or enabled meanwhile is not taken away', async (t) => {
  const remove = (member: Member) => ({ action: 'remove', member }) as const
  t.same(planned(OFF, remove(ON)), [{ write: null, member: OFF }])
  t.same(planned(ON, remove(OFF)), [{ write: null, member: ON }])
  t.same(planned(OFF, remove(OFF)), [{ write: 'delete', member: OFF }])
  const to = { value: '192.0.2.2' }
  t.same(planned(OFF, { action: 'replace', from: ON, to }), [
    { write: null, member: OFF },
    { write: 'create', member: to },
  ])
})

void t.test('whether a record is served changes only where that is meant', async (t) => {
  const replace = (from: Member, to: Member) => ({ action: 'replace', from, to }) as const
  const commented = { ...ON, comment: 'new' }
  t.same(planned(OFF, replace(ON, commented)), [{ write: 'update', member: { ...OFF, comment: 'new' } }])
  t.same(planned(ON, replace(OFF, OFF)), [{ write: null, member: ON }])
  t.match(planned(OFF, replace(OFF, ON)), [{ write: 'update', member: { disabled: false } }])
  t.same(planned(ON, replace(ON, OFF)), [{ write: 'update', member: OFF }])
  t.match(planned(OFF, { action: 'add', member: ON }), [{ write: 'update', member: { disabled: false } }])
})

void t.test(
  'a set says its routing, and of a value that is there twice the one that is served',
  async (t) => {
    t.same(toRRset([held(OFF, 'id-1'), held(ON, 'id-2')]), {
      name: 'www',
      type: 'A',
      routing: { key: 'eu', line: 'Europe' },
      ttl: 600,
      members: [{ ...ON, providerId: 'id-2' }],
    })
  },
)
