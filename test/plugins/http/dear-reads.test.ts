import { sql } from 'kysely'
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { startZone } from '../../helpers/zone.ts'

const { admin, addUser, signIn, database, url, domainId } = await startZone(t)
const { db } = database
await addUser('bob')
const bob = await signIn('bob')

/** Reads that wait for a lock. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ~* '^\\s*(select|with)'
  `.execute(db)
  return rows[0]?.count ?? 0
}

const DEAR = [
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

void t.test('86. dear reads of one user wait for each other, and others for none of them', async (t) => {
  const answers = await db.transaction().execute(async (trx) => {
    await sql`lock table domains in access exclusive mode`.execute(trx)
    const flood = [...DEAR, ...DEAR, ...DEAR].map((read) => admin.get(read))
    await until('four of them', async () => (await waiting()) >= 4)
    t.equal((await bob.get('/api/auth/me')).status, 200)
    t.equal((await admin.get('/api/auth/me')).status, 200, 'what is not dear goes on')
    // Dashboards ask several things at once.
    t.ok((await waiting()) <= 8)
    return flood
  })
  for (const { status } of await Promise.all(answers)) t.equal(status, 200)
})

void t.test('86. who waits too long, or with too many, is asked to come back', async (t) => {
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
