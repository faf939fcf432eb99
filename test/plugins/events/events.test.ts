import pg from 'pg'
import { sql } from 'kysely'
import t from 'tap'
import { call, startApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'

// Two instances on one database.
const { app, admin, addUser, signIn, database } = await startApp(t, { alone: false })
const other = await startApp(t, { database, alone: false })

void t.test('18. what ends is heard elsewhere with its commit, however busy the instance is', async (t) => {
  const id = await addUser('ada')
  const { accessToken } = await signIn('ada')
  const headers = { authorization: `Bearer ${accessToken}` }
  const statusThere = async () => (await call(other.app, { url: '/api/auth/me', headers })).status
  for (let n = 0; n < 2; n++) t.equal(await statusThere(), 200, 'remembered')

  // The change waits for a lock, so that all connections are busy and wanted when it is done.
  const holder = new pg.Client(database.config)
  await holder.connect()
  await holder.query('begin')
  await holder.query('select 1 from users where id = $1 for update', [id])
  const ended = admin.delete(`/api/users/${id}/sessions`)
  const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  await until('the change waits', async () => (await holder.query(waits)).rowCount)
  const busy = Array.from({ length: 20 }, () => sql`select pg_sleep(2)`.execute(app.db))
  await holder.query('commit')
  await holder.end()
  t.equal((await ended).status, 204)
  await until('the other refuses', async () => (await statusThere()) === 401, { within: 0.5 })
  await Promise.all(busy)
})
