// Runs first: takes long for its size.
import t from 'tap'
import { checkDomain } from './matrix/domain.ts'
import { checkHistory, checkImport, checkMany } from './matrix/many.ts'
import { ONE_OF_EACH_NAME, openApi, startMatrix } from './matrix/prepare.ts'
import { checkOtherReading, checkReading } from './matrix/reading.ts'
import { checkMoving, checkSingle } from './matrix/single.ts'
import { HOLDERS, TARGETS } from './model.ts'

/**
 * Every path to a domain and its records, for every kind of assignment, on records inside and outside of it.
 * The requests are generated; what comes of each is looked up in model.ts. By the Open API a part of it is tried
 * here, and all in test/programs/matrix.test.ts.
 */

const prepare = await startMatrix(t)

for (const [at, holder] of HOLDERS.entries()) {
  void t.test(`60. ${holder.title}`, async (t) => {
    const given = await prepare(holder, at)
    const { user } = given
    const program = openApi(given)
    await t.test('reading', (t) => checkReading(t, given, user))
    await t.test('reading by the Open API', (t) => checkReading(t, given, program))
    await t.test('search, export, history', (t) => checkOtherReading(t, given, user))
    await t.test('single changes', (t) => checkSingle(t, given, user, TARGETS))
    await t.test('single changes by the Open API', (t) => checkSingle(t, given, program, ONE_OF_EACH_NAME))
    await t.test('moving', (t) => checkMoving(t, given, user))
    await t.test('bulk, plan, apply', (t) => checkMany(t, given, user))
    await t.test('import', (t) => checkImport(t, given, user))
    await t.test('revert, restore', (t) => checkHistory(t, given, user))
    await t.test('the domain itself', (t) => checkDomain(t, given, user))
  })
}
