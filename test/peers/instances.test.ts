import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { createDatabase } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { ADMIN, call, databaseUrl, signIn, startZonekeeper } from './zonekeeper.ts'

/* Two instances of the service on one database, from the settings of an earlier version. */
t.setTimeout(120_000)
const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-instances-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))

const database = await createDatabase(t)
const environment = {
  DATABASE_URL: databaseUrl(database.config),
  REDIS_URL: 'redis://:hidden@127.0.0.1:1',
  SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  DATA_DIR: work,
  RATE_LIMIT: '40',
}
const one = await startZonekeeper(environment)
t.teardown(() => one.stop())
const two = await startZonekeeper(environment)
t.teardown(() => two.stop())

const me = (url: string, token: string) => call(url, 'GET', '/api/auth/me', { token })

void t.test('18. 19. what ends on one instance is over on the other', async (t) => {
  const [first, second] = [await signIn(one.url), await signIn(two.url)]
  for (const { url } of [one, two]) {
    // Twice, so that the second time the session is remembered.
    for (let n = 0; n < 2; n++) t.equal((await me(url, second.accessToken)).status, 200)
  }
  t.equal((await first.delete('/api/auth/me/sessions')).status, 204)
  await until('the session has ended', async () => (await me(two.url, second.accessToken)).status === 401)
  t.match(await me(one.url, second.accessToken), { status: 401, body: { code: 'unauthenticated' } })
  t.equal((await me(two.url, first.accessToken)).status, 200, 'the own one goes on')
})

void t.test('63. 94. rate limits count for all instances together', async (t) => {
  const ask = async ({ url }: { url: string }) => (await call(url, 'GET', '/api/providers')).status
  let last = 0
  for (let n = 0; n < 41; n++) last = await ask(one)
  t.equal(last, 429)
  await until('the other knows of them', async () => (await ask(two)) === 429, { within: 5 })
})

void t.test('the first start of several makes one administrator', async (t) => {
  const users = await database.db.selectFrom('users').select('username').execute()
  t.same(users, [{ username: ADMIN.username }])
})

void t.test('a setting that is no longer used is named, without its value', async (t) => {
  for (const { output } of [one, two]) {
    t.match(output(), /"level":40[^\n]*"setting":"REDIS_URL"/)
    t.notMatch(output(), /hidden/)
  }
})
