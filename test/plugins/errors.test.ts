import { sql } from 'kysely'
import t from 'tap'
import { call, startApp } from '../helpers/app.ts'

const { app, admin } = await startApp(t, {
  extend(app) {
    app.get('/test/crossing/:first/:second', { config: { access: 'public' } }, async (request) => {
      const { first, second } = request.params as { first: string; second: string }
      await app.db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(${first}::int)`.execute(trx)
        await meet()
        await sql`select pg_advisory_xact_lock(${second}::int)`.execute(trx)
      })
      return { done: true }
    })
  },
})

let waiting: (() => void) | null = null

/** Goes on when two are here. */
function meet(): Promise<void> {
  if (waiting === null) return new Promise((resolve) => (waiting = resolve))
  waiting()
  return Promise.resolve()
}

void t.test(
  'of two changes that wait for each other one is done, and the other may be tried again',
  async (t) => {
    const answers = await Promise.all([
      call(app, { url: '/test/crossing/1/2' }),
      call(app, { url: '/test/crossing/2/1' }),
    ])
    const [done, refused] = answers.toSorted((a, b) => a.status - b.status)
    t.equal(done?.status, 200)
    t.match(refused, { status: 503, body: { code: 'unavailable', requestId: /./ } })
    t.equal((await admin.get('/api/auth/me')).status, 200)
  },
)
