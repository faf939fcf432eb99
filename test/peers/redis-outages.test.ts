import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { SIGN_IN_LIMIT } from '../../plugins/security/rate-limit/rate-limit.ts'
import { createDatabase } from '../helpers/database.ts'
import { until } from '../helpers/until.ts'
import { startRedis } from './redis.ts'
import { call, databaseUrl, signIn, startZonekeeper, type Zonekeeper } from './zonekeeper.ts'

/* Two instances whose Redis stands still, is killed and comes back: nobody waits for it, and limits go on. */
t.setTimeout(180_000)
const RATE_LIMIT = 500
/** The first requests wait for Redis so long at most; those after them do not ask it. */
const WORST_MS = 500
/** How much slower they may be than with Redis, in the middle. */
const SLOWER_MS = 25

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-redis-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
const redis = await startRedis(t)
const database = await createDatabase(t)
const environment = {
  DATABASE_URL: databaseUrl(database.config),
  REDIS_URL: redis.url,
  SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
  DATA_DIR: work,
  RATE_LIMIT: String(RATE_LIMIT),
  TRUST_PROXY: '127.0.0.1',
  LOG_LEVEL: 'info',
}
const start = async (): Promise<Zonekeeper> => {
  const service = await startZonekeeper(environment)
  t.teardown(() => service.stop())
  return service
}
const instances = [await start(), await start()] as const
const [one, two] = instances

let addresses = 0
/** An address that nobody has called from. */
const newAddress = () => ({ 'x-forwarded-for': `198.51.${++addresses >> 8}.${addresses & 255}` })

/** Milliseconds that calls to both instances took, some at a time, in ascending order. */
async function durations(): Promise<number[]> {
  const taken: number[] = []
  const worker = async () => {
    const headers = newAddress()
    for (let n = 0; n < 40; n++) {
      const begun = performance.now()
      const { status } = await call(instances[n % 2 === 0 ? 0 : 1].url, 'GET', '/api/providers', { headers })
      taken.push(performance.now() - begun)
      if (status !== 401) throw new Error(`Answered with ${status}`)
    }
  }
  await Promise.all([worker(), worker(), worker(), worker()])
  return taken.sort((a, b) => a - b)
}

const median = (sorted: number[]) => sorted[sorted.length >> 1] as number

/** How many of so many calls pass the limit of all requests, and how many tries of a password theirs. */
async function passed(): Promise<{ requests: number; tries: number }> {
  const headers = newAddress()
  const statuses = async (calls: number, one: (n: number) => Promise<{ status: number }>) => {
    const all: number[] = []
    for (let n = 0; n < calls; n++) all.push((await one(n)).status)
    return all.filter((status) => status !== 429).length
  }
  const requests = await statuses(RATE_LIMIT + 50, () => call(one.url, 'GET', '/api/providers', { headers }))
  const body = { username: crypto.randomUUID(), password: 'a wrong password' }
  const tries = await statuses(SIGN_IN_LIMIT.max * 2, (n) =>
    call(instances[n % 2 === 0 ? 0 : 1].url, 'POST', '/api/auth/login', { headers: newAddress(), body }),
  )
  return { requests, tries }
}

/** The last of what both said of Redis. */
const said = (wanted: RegExp) =>
  until(
    `the log says ${wanted}`,
    () =>
      instances.every(({ output }) =>
        wanted.test(/"msg":"(Redis[^"]*)"(?![^]*"msg":"Redis)/.exec(output())?.[1] ?? ''),
      ),
    { within: 5 },
  )

async function isServedWithout(t: Test, harm: () => unknown): Promise<void> {
  await durations()
  const withRedis = await durations()
  await harm()
  const taken = await durations()
  t.ok(median(taken) < median(withRedis) + SLOWER_MS, `the median call takes ${median(taken)} ms`)
  t.ok((taken.at(-1) as number) < WORST_MS, `the longest takes ${taken.at(-1)} ms`)
  await said(/does not answer/)
  for (const { url } of instances) t.equal((await call(url, 'GET', '/readyz')).status, 200, 'it can serve')
  t.same(await passed(), { requests: RATE_LIMIT, tries: SIGN_IN_LIMIT.max }, 'limits go on')

  const [first, second] = [await signIn(one.url, newAddress()), await signIn(two.url, newAddress())]
  t.equal((await second.get('/api/auth/me')).status, 200)
  t.equal((await first.delete('/api/auth/me/sessions')).status, 204)
  const isOver = async () => (await second.get('/api/auth/me')).status === 401
  await until('what has ended on one is refused by the other', isOver, { within: 5 })
}

async function isSharedAgain(t: Test): Promise<void> {
  await said(/answers again/)
  const headers = newAddress()
  let allowed = 0
  for (let n = 0; n < RATE_LIMIT + 50; n++) {
    const { url } = instances[n % 2 === 0 ? 0 : 1]
    if ((await call(url, 'GET', '/api/providers', { headers })).status !== 429) allowed++
  }
  t.equal(allowed, RATE_LIMIT, 'limits count for both together')
}

void t.test('63. 90. standing still', async (t) => {
  await isServedWithout(t, redis.standStill)
  redis.goOn()
  await isSharedAgain(t)
})

void t.test('63. killed', async (t) => {
  await isServedWithout(t, redis.kill)
  await redis.start()
  await isSharedAgain(t)
})

void t.test('the log says once that it went and that it is back', (t) => {
  for (const { output } of instances) {
    const lines = output()
      .split('\n')
      .filter((line) => line.includes('"msg":"Redis'))
    t.equal(lines.length, 4, lines.join('\n'))
  }
  t.end()
})
