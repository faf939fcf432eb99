import t from 'tap'
import { checkDomain } from '../assignments/matrix/domain.ts'
import { checkHistory, checkImport, checkMany } from '../assignments/matrix/many.ts'
import { ONE_OF_EACH_NAME, openApi, startMatrix } from '../assignments/matrix/prepare.ts'
import { checkOtherReading, checkReading } from '../assignments/matrix/reading.ts'
import { checkMoving, checkSingle } from '../assignments/matrix/single.ts'
import { Holder } from '../assignments/model.ts'

/**
 * The matrix of test/assignments by personal token: of people with assignments, and of the owner by tokens that are
 * narrowed to names and types, which must see and do just what an assignment of these gives.
 */

const prepare = await startMatrix(t)

const CASES: [title: string, holder: Holder, restrictions?: object][] = [
  ['an assignment', new Holder({ pattern: '*.dev', permission: 'write' })],
  ['an assignment', new Holder({ pattern: '*', permission: 'read' })],
  ['no assignment', new Holder({ pattern: 'none', permission: 'read' })],
  ['a token', new Holder({ pattern: '*.dev', permission: 'write' }), { namePatterns: ['*.dev'] }],
  ['a token', new Holder({ pattern: '*', permission: 'write' }).ofTypes('A'), { recordTypes: ['A'] }],
  [
    'a token',
    new Holder({ pattern: 'app', permission: 'write' }).ofTypes('TXT'),
    { namePatterns: ['app'], recordTypes: ['TXT'] },
  ],
]

for (const [at, [title, holder, restrictions]] of CASES.entries()) {
  void t.test(`101. ${title} for ${holder.title}`, async (t) => {
    const given = await prepare(holder, at, restrictions)
    const program = openApi(given)
    await t.test('reading', (t) => checkReading(t, given, program))
    await t.test('search, export, history', (t) => checkOtherReading(t, given, program))
    await t.test('single changes', (t) => checkSingle(t, given, program, ONE_OF_EACH_NAME))
    await t.test('moving', (t) => checkMoving(t, given, program))
    await t.test('bulk, plan, apply', (t) => checkMany(t, given, program))
    await t.test('import', (t) => checkImport(t, given, program))
    await t.test('revert, restore', (t) => checkHistory(t, given, program))
    await t.test('the domain itself', (t) => checkDomain(t, given, program))
  })
}
