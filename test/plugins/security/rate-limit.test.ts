import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { SIGN_IN_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { addCounts, countRequest } from '../../../plugins/security/rate-limit/queries.ts'
import { call, startApp, type Answer, type TestApp } from '../../helpers/app.ts'
import { until } from '../../helpers/until.ts'
import { isProblem } from '../../helpers/problem.ts'

const { database } = await startApp(t)

type From = (remoteAddress: string, url?: string, headers?: Record<string, string>) => Promise<Answer>

/** An app that takes two requests a minute, and calls to it from an address. */
async function limited(t: Test, environment: Record<string, string>): Promise<TestApp & { from: From }> {
  const started = await startApp(t, { database, environment: { RATE_LIMIT: '2', ...environment } })
  const from: From = (remoteAddress, url = '/api/site', headers = {}) =>
    call(started.app, { url, remoteAddress, headers })
  return { ...started, from }
}

void t.test('a transaction that began before another counts after it', async (t) => {
  const { db } = database
  for (const [what, count] of Object.entries({
    one: async (trx: typeof db, key: Buffer) => (await countRequest(trx, key, 60_000)).current,
    many: async (trx: typeof db, key: Buffer) =>
      (await addCounts(trx, [{ key, count: 1 }], 60_000))[0]?.current,
  })) {
    const key = createHash('sha256').update(what).digest()
    await db.transaction().execute(async (early) => {
      // From here on this is the time of all its statements.
      await sql`select now()`.execute(early)
      await sleep(5)
      t.equal(await count(db, key), 1, what)
      t.equal(await count(early, key), 2, `${what}: the first is not forgotten`)
    })
    t.equal(await count(db, key), 3, what)
  }
})

void t.test('63. rate limit', async (t) => {
  const { from, admin: client } = await limited(t, { TRUST_PROXY: '10.1.1.1' })
  const forwarded = (address: string) => ({ 'x-forwarded-for': address })

  await t.test('by address for those who are not signed in', async (t) => {
    for (let i = 0; i < 2; i++) t.equal((await from('192.0.2.1')).status, 200)
    const refused = await from('192.0.2.1')
    isProblem(t, refused, 429, 'rate_limited')
    const seconds = Number(refused.headers['retry-after'])
    t.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, 'Retry-After in seconds')
    t.equal((await from('192.0.2.2')).status, 200, 'another address goes on')
  })
  await t.test('paths that there are not count too', async (t) => {
    await from('192.0.2.3', '/nothing')
    await from('192.0.2.3', '/nothing')
    isProblem(t, await from('192.0.2.3', '/nothing'), 429, 'rate_limited')
  })
  await t.test('so do requests that are refused for lack of a token', async (t) => {
    t.equal((await from('192.0.2.4', '/api/auth/me')).status, 401)
    t.equal((await from('192.0.2.4', '/api/auth/me', { authorization: 'Bearer x' })).status, 401)
    isProblem(t, await from('192.0.2.4', '/api/auth/me'), 429, 'rate_limited')
  })
  await t.test('by user for those who are signed in', async (t) => {
    const headers = { authorization: `Bearer ${client.accessToken}` }
    t.equal((await from('192.0.2.5', '/api/auth/me', headers)).status, 200)
    t.equal((await from('192.0.2.6', '/api/auth/me', headers)).status, 200)
    t.equal((await from('192.0.2.7', '/api/auth/me', headers)).status, 429, 'wherever they are')
    t.equal((await from('192.0.2.5')).status, 200, 'their address is free')
  })
  await t.test('health is not limited', async (t) => {
    for (let i = 0; i < 5; i++) t.equal((await from('192.0.2.8', '/healthz')).status, 200)
  })
  await t.test('64. IPv6 by network', async (t) => {
    t.equal((await from('2001:db8:1:2::1')).status, 200)
    t.equal((await from('2001:db8:1:2:ffff::9')).status, 200)
    t.equal((await from('2001:db8:1:2:a:b:c:d')).status, 429, 'the same /64')
    t.equal((await from('2001:db8:1:3::1')).status, 200, 'the next one')
  })
  await t.test('64. a forwarded address counts from a trusted proxy only', async (t) => {
    t.equal((await from('192.0.2.9', undefined, forwarded('198.51.100.1'))).status, 200)
    t.equal((await from('192.0.2.9', undefined, forwarded('198.51.100.2'))).status, 200)
    t.equal((await from('192.0.2.9', undefined, forwarded('198.51.100.3'))).status, 429, 'no proxy of ours')
    for (const status of [200, 200, 429]) {
      t.equal((await from('10.1.1.1', undefined, forwarded('198.51.100.4'))).status, status)
    }
    t.equal((await from('10.1.1.1', undefined, forwarded('198.51.100.5'))).status, 200)
    const chain = forwarded('203.0.113.9, 198.51.100.4')
    t.equal((await from('10.1.1.1', undefined, chain)).status, 429, 'what the client claims does not count')
  })
  await t.test('metrics are not for whom a proxy calls anything', async (t) => {
    for (const address of ['192.0.2.1', 'nonsense']) {
      isProblem(t, await from('10.1.1.1', '/metrics', forwarded(address)), 403, 'forbidden')
    }
  })
  await t.test('64. without TRUST_PROXY nothing that is forwarded counts', async (t) => {
    const { from } = await limited(t, {})
    for (const [i, status] of [200, 200, 429].entries()) {
      t.equal((await from('127.0.0.1', undefined, forwarded(`198.51.100.${i}`))).status, status)
    }
  })
})

/** So seldom that between two exchanges of the instances there are fewer requests than the limit. */
const PAUSE_MS = 250

void t.test('63. 94. the limit of all requests counts for all instances together', async (t) => {
  const environment = { RATE_LIMIT: '20' }
  const [one, two] = [
    await startApp(t, { database, alone: false, environment }),
    await startApp(t, { database, alone: false, environment }),
  ]
  const ask = async ({ app }: TestApp, remoteAddress: string) =>
    (await call(app, { url: '/api/site', remoteAddress })).status
  for (let n = 0; n < 20; n++) t.equal(await ask(one, '192.0.2.70'), 200)
  await until('the other knows of them', async () => {
    // Who asks on and on is over the limit by themselves, and has filled the next window as soon as it begins.
    await sleep(PAUSE_MS)
    return (await ask(two, '192.0.2.70')) === 429
  })
  t.equal(await ask(two, '192.0.2.71'), 200, 'another address goes on')
  const key = createHash('sha256').update(' 192.0.2.70').digest()
  const [ended] = await database.db
    .updateTable('rate_limit_counters')
    .set({ resets_at: new Date(Date.now() + 2_000) })
    .where('key', '=', key)
    .execute()
  t.equal(ended?.numUpdatedRows, 1n)
  await until('the end of the window', async () => {
    await sleep(PAUSE_MS)
    return (await ask(one, '192.0.2.70')) === 200
  })
})

void t.test('63. 64. the limits on signing in count for all instances together', async (t) => {
  const environment = { RATE_LIMIT: '1000' }
  const instances = [
    await startApp(t, { database, alone: false, environment }),
    await startApp(t, { database, alone: false, environment }),
  ] as const
  const logIn = (n: number, remoteAddress: string, username: string) =>
    call(instances[n % 2 === 0 ? 0 : 1].app, {
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress,
      payload: { username, password: 'a wrong password' },
    })
  const { max } = SIGN_IN_LIMIT

  await t.test('by address', async (t) => {
    for (let n = 0; n < max; n++) t.equal((await logIn(n, '192.0.2.50', `nobody-${n}`)).status, 401)
    for (const n of [0, 1]) {
      const refused = await logIn(n, '192.0.2.50', 'nobody')
      isProblem(t, refused, 429, 'rate_limited')
      const seconds = Number(refused.headers['retry-after'])
      t.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, 'Retry-After in seconds')
    }
    t.equal((await logIn(0, '192.0.2.51', 'nobody')).status, 401, 'another address goes on')
  })
  await t.test('by account', async (t) => {
    for (let n = 0; n < max; n++) t.equal((await logIn(n, `198.51.100.${n}`, 'somebody')).status, 401)
    for (const n of [0, 1]) t.equal((await logIn(n, `198.51.100.5${n}`, 'somebody')).status, 429)
  })
  await t.test('until the window is over', async (t) => {
    await database.db
      .updateTable('rate_limit_counters')
      .set({ resets_at: new Date(Date.now() - 1_000) })
      .execute()
    t.equal((await logIn(0, '192.0.2.50', 'nobody')).status, 401)
  })
})
