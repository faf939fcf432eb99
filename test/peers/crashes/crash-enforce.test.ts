// Runs first: takes long for its size.
import { sql } from 'kysely'
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { enforcing, SOON } from './enforcing.ts'

/* An instance is killed before it puts back what was changed at the provider: another does, once. */
t.setTimeout(600_000)
const { fake, db, writesOf, enforced, changeThere, kill, restart, comes, isBack, hasStatus, changeable } =
  await enforcing()

void t.test('killed while the provider is read', async (t) => {
  changeThere('h0')
  fake.fail({ on: 'read', kind: 'silent', applied: false, times: Infinity })
  const before = fake.requests.length
  await comes()
  await until('it is read', () => Promise.resolve(fake.requests.length > before), SOON)
  await kill()
  fake.heal()
  await restart()
  await comes()
  await isBack('h0')
  t.equal(writesOf('h0'), 1)
  await changeable('h0')
})

void t.test('killed before its change is opened', async (t) => {
  changeThere('h1')
  await db.transaction().execute(async (trx) => {
    await sql`lock table changes in share row exclusive mode`.execute(trx)
    await comes()
    await until(
      'it waits to open the change',
      async () => {
        const { rows } = await sql`
        select from pg_locks where not granted and relation = 'changes'::regclass
      `.execute(db)
        return rows.length > 0
      },
      SOON,
    )
    await kill()
  })
  t.equal(writesOf('h1'), 0)
  await restart()
  await comes()
  await isBack('h1')
  await hasStatus('h1', 'applied')
  t.equal(writesOf('h1'), 1)
  t.equal((await enforced('h1')).length, 1)
  await changeable('h1')
})
