import t from 'tap'
import { createDatabase } from '../helpers/database.ts'
import { runScript, urlOf } from './run-script.ts'

void t.test('5. 6. 8. an ADMIN_PASSWORD that anybody would guess stops the start', async (t) => {
  const database = await createDatabase(t)
  for (const [password, reason] of [
    ['Password1', 'is too common'],
    ['the-admin-here', 'must not contain the user name'],
  ] as const) {
    const environment = { DATABASE_URL: urlOf(database), PORT: '0', ADMIN_PASSWORD: password }
    const { code, output } = await runScript('../server.js', [], environment)
    t.equal(code, 1)
    t.match(output, `ADMIN_PASSWORD: ${reason}`)
    t.notMatch(output, password)
  }
  t.same(await database.db.selectFrom('users').selectAll().execute(), [])
})
