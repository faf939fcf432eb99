// Runs last: holds times to bounds.
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import t, { type Test } from 'tap'
import { loggerOptions } from '../../../plugins/http/logging.ts'
import { call, PASSWORD, startApp } from '../../helpers/app.ts'
import { areHonest, isBack, LIMIT_MS, timed, underLoad } from '../../helpers/outages.ts'
import { startOwnPostgres } from '../../helpers/postgres.ts'
import { isProblem } from '../../helpers/problem.ts'
import { until } from '../../helpers/until.ts'
import { addDomain, addManual } from '../../helpers/zone.ts'

// The whole service on a PostgreSQL that is stopped and frozen, or cuts it off. Under load: outages-under-load.test.ts.
const postgres = await startOwnPostgres(t)
const lines: string[] = []
const log = pino(
  loggerOptions('info'),
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  }),
)
let echoes = 0
const service = await startApp(t, {
  database: postgres.database,
  jobs: true,
  log,
  extend: (app) => app.work.every(1, 'test.echo', async () => void echoes++),
})
const { app, admin } = service
const { id: domainId } = await addDomain(admin, await addManual(admin), 'example.com')

/** Not the API's words: one that asks for nothing, one that is for programs, and those of dyndns2, which says `911`. */
const OTHERS = new Set(['/healthz', '/metrics', '/nic/update', '/v3/update', '/readyz'])

/** All that can be read, as the API description names it. */
async function readings(): Promise<string[]> {
  const { body } = await call(app, { url: '/openapi.json' })
  return Object.entries((body as { paths: Record<string, object> }).paths)
    .filter(([url, methods]) => 'get' in methods && !OTHERS.has(url))
    .map(([url]) => url.replace('{id}', domainId).replaceAll(/\{\w+\}/g, crypto.randomUUID()))
}

/** That all are answered in time, the most with 503 and none with another failure of the server. */
async function areRefused(t: Test, urls: string[]): Promise<void> {
  const answers = await Promise.all(urls.map(async (url) => ({ url, ...(await timed(admin.get(url))) })))
  t.same(
    answers.filter(({ status, ms }) => (status >= 500 && status !== 503) || ms > LIMIT_MS),
    [],
  )
  const refused = answers.filter(({ status }) => status === 503)
  t.ok(refused.length > urls.length / 2, `${refused.length} of ${urls.length}`)
  for (const answer of refused) {
    isProblem(t, answer, 503, 'unavailable')
    t.match(answer.headers['retry-after'], /^\d+$/, answer.url)
  }
  const payload = { username: 'root', password: PASSWORD }
  isProblem(
    t,
    await timed(call(app, { method: 'POST', url: '/api/auth/login', payload })),
    503,
    'unavailable',
  )
  t.match(await timed(call(app, { url: '/readyz' })), { status: 503, body: { ready: false } })
  t.equal((await call(app, { url: '/healthz' })).status, 200)
}

void t.test('88. stopped: all is refused with 503, and served again when it is back', async (t) => {
  const urls = await readings()
  await postgres.stop()
  await areRefused(t, urls)
  const logged = lines.length
  await sleep(6_000)
  const since = lines.slice(logged)
  t.ok(since.length < 12, `the log is not flooded: ${since.length} lines in 6 s\n${since.join('')}`)
  await postgres.start()
  await isBack(service)
})

void t.test('90. standing still: all is refused within 5 s, and served again when it goes on', async (t) => {
  const urls = await readings()
  postgres.signal('SIGSTOP', 'all')
  try {
    await areRefused(t, urls)
    await areRefused(t, urls)
  } finally {
    postgres.signal('SIGCONT', 'all')
  }
  await isBack(service)
})

void t.test('88. all connections cut, again and again, under load', async (t) => {
  const answers = await underLoad([admin], domainId, async () => {
    for (let i = 0; i < 10; i++) {
      await cutConnections()
      await sleep(200)
    }
    await isBack(service)
  })
  await areHonest(t, postgres.database, answers)
})

void t.test('scheduled tasks are run afterwards', async () => {
  const before = echoes
  await until('the task has run', () => echoes > before)
})

async function cutConnections(): Promise<void> {
  const client = new pg.Client(postgres.database.config)
  await client.connect()
  await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1',
    ['client backend'],
  )
  await client.end()
}
