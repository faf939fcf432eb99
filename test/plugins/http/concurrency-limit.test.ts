import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { startZone } from '../../helpers/zone.ts'

const { app, admin, addUser, signIn, database, url, domainId } = await startZone(t)
const { db } = database
await addUser('bob')
const bob = await signIn('bob')

/** Reads that wait for a database lock. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ~* '^\\s*(select|with)'
  `.execute(db)
  return rows[0]?.count ?? 0
}

const EXPENSIVE = [
  '/api/records/search?q=www',
  '/api/domains',
  '/api/domains/tags',
  '/api/domains/groups',
  url,
  `${url}/export`,
  `${url}/unmanaged`,
  `/api/domains/${domainId}/changes`,
  '/api/dashboard',
  '/api/dashboard/expiries',
]

void t.test('86. expensive reads of one user wait for each other, not those of others', async (t) => {
  const answers = await db.transaction().execute(async (trx) => {
    await sql`lock table domains in access exclusive mode`.execute(trx)
    const flood = [...EXPENSIVE, ...EXPENSIVE, ...EXPENSIVE].map((read) => admin.get(read))
    await until('four of them', async () => (await waiting()) >= 4)
    t.equal((await bob.get('/api/auth/me')).status, 200)
    t.equal((await admin.get('/api/auth/me')).status, 200, 'other requests pass')
    // Dashboards send several queries at once.
    t.ok((await waiting()) <= 8)
    return flood
  })
  for (const { status } of await Promise.all(answers)) t.equal(status, 200)
})

void t.test('86. a request that waits too long gets 503, one too many 429', async (t) => {
  await db.transaction().execute(async (trx) => {
    await sql`lock table domains in access exclusive mode`.execute(trx)
    const flood = Array.from({ length: 110 }, () => admin.get('/api/records/search?q=www'))
    t.match(await Promise.race(flood), {
      status: 429,
      body: { code: 'rate_limited' },
      headers: { 'retry-after': '3' },
    })
    const refused = await Promise.all(flood.slice(4))
    t.same(new Set(refused.map(({ status }) => status)), new Set([429, 503]))
  })
  await until('served again', async () => (await admin.get('/api/records/search?q=www')).status === 200)
})

void t.test(
  '86. a client that hangs up keeps its place until the handler is done, and no longer',
  async (t) => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    await db.transaction().execute(async (trx) => {
      await sql`lock table domains in access exclusive mode`.execute(trx)
      const sockets = Array.from({ length: 6 }, () => connect(port, '127.0.0.1'))
      for (const socket of sockets) {
        socket.write('GET /api/domains HTTP/1.1\r\nHost: localhost\r\n')
        socket.write(`Authorization: Bearer ${admin.accessToken}\r\n\r\n`)
      }
      await until('four of them', async () => (await waiting()) >= 4)
      await Promise.all(sockets.map((socket) => once(socket.destroy(), 'close')))
      t.equal((await admin.get('/api/domains')).status, 503)
      t.ok((await waiting()) <= 8)
    })
    const answers = await Promise.all(EXPENSIVE.map((read) => admin.get(read)))
    t.same(new Set(answers.map(({ status }) => status)), new Set([200]))
  },
)
