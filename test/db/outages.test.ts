import { Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import t, { type Test } from 'tap'
import { connect } from '../../db/connect.ts'
import { loggerOptions } from '../../plugins/logging.ts'
import { call, PASSWORD, startApp, type Answer } from '../helpers/app.ts'
import { startNetwork, startOwnPostgres } from '../helpers/postgres.ts'
import { isProblem } from '../helpers/problem.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addManual } from '../helpers/zone.ts'

// The whole service on a PostgreSQL that is stopped, frozen and killed, under load and without.
const LIMIT_MS = 5_000
const RECOVERY = { within: 10 }

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
const network = await startNetwork(t, postgres.database.config)
const config = { ...postgres.database.config, host: '127.0.0.1', port: network.port }
const connection = connect(config)
t.teardown(() => connection.close())
const echoes: string[] = []
const { app, admin } = await startApp(t, {
  database: { ...connection, config },
  jobs: true,
  log,
  extend: (app) =>
    app.jobs.define<{ asked: string }>('test.echo', async ({ asked }) => void echoes.push(asked)),
})
const { id: domainId } = await addDomain(admin, await addManual(admin), 'example.com')

/** An answer with the milliseconds that it took. */
async function timed(asked: Promise<Answer>): Promise<Answer & { ms: number }> {
  const begun = performance.now()
  return { ...(await asked), ms: performance.now() - begun }
}

const isBack = () =>
  until(
    'the service serves again',
    async () => {
      const answers = await Promise.all([admin.get('/api/domains'), call(app, { url: '/readyz' })])
      return answers.every(({ status }) => status === 200)
    },
    RECOVERY,
  )

/** All that can be read, as the API description names it. */
async function readings(): Promise<string[]> {
  const { body } = await call(app, { url: '/openapi.json' })
  return Object.entries((body as { paths: Record<string, object> }).paths)
    .filter(([url, methods]) => 'get' in methods && !['/healthz', '/metrics'].includes(url))
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
  isProblem(t, await timed(call(app, { url: '/readyz' })), 503, 'unavailable')
  t.equal((await call(app, { url: '/healthz' })).status, 200)
}

/** Reads and writes without a pause while `harm` is done, and shows what came of each. */
async function underLoad(harm: () => Promise<unknown>): Promise<(Answer & { ms: number; name: string })[]> {
  const answers: (Answer & { ms: number; name: string })[] = []
  let over = false
  const worker = async () => {
    while (!over) {
      // A refusal without a socket takes no turn of the event loop, and the rest must have theirs.
      await nextTurn()
      const name = `host-${crypto.randomUUID()}`
      const payload = { recordType: 'A', name, value: '192.0.2.1' }
      answers.push({ name, ...(await timed(admin.post(`/api/domains/${domainId}/records`, payload))) })
      answers.push({ name: '', ...(await timed(admin.get('/api/users'))) })
    }
  }
  const workers = Array.from({ length: 12 }, worker)
  await until('some answers', () => answers.length > 50)
  await harm().finally(() => (over = true))
  await Promise.all(workers)
  return answers
}

/** That each was done or refused, in time, and what was said to be done is. */
async function areHonest(t: Test, answers: (Answer & { ms: number; name: string })[]): Promise<void> {
  const wrong = answers.filter(({ status, ms }) => ![200, 201, 503].includes(status) || ms > LIMIT_MS)
  t.same(wrong, [])
  const created = answers.filter(({ status }) => status === 201).map(({ name }) => name)
  const there = await postgres.database.db.selectFrom('records').select('name').execute()
  const names = new Set(there.map(({ name }) => name))
  t.same(
    created.filter((name) => !names.has(name)),
    [],
    'nothing acknowledged is lost',
  )
}

void t.test('stopped: all is refused with 503, and served again when it is back', async (t) => {
  const urls = await readings()
  await postgres.stop()
  await areRefused(t, urls)
  const logged = lines.length
  await sleep(6_000)
  const since = lines.slice(logged)
  t.ok(since.length < 12, `the log is not flooded: ${since.length} lines in 6 s\n${since.join('')}`)
  await postgres.start()
  await isBack()
})

void t.test('standing still: all is refused within 5 s, and served again when it goes on', async (t) => {
  const urls = await readings()
  postgres.signal('SIGSTOP', 'all')
  try {
    await areRefused(t, urls)
    await areRefused(t, urls)
  } finally {
    postgres.signal('SIGCONT', 'all')
  }
  await isBack()
})

void t.test('standing still under load', async (t) => {
  const answers = await underLoad(async () => {
    postgres.signal('SIGSTOP', 'all')
    await sleep(6_000)
    postgres.signal('SIGCONT', 'all')
    await isBack()
  })
  await areHonest(t, answers)
  t.ok(answers.some(({ status }) => status === 503))
})

void t.test('not accepting connections: what has one is served, the rest refused within 5 s', async (t) => {
  const answers = await underLoad(async () => {
    postgres.signal('SIGSTOP', 'postmaster')
    await sleep(6_000)
    postgres.signal('SIGCONT', 'postmaster')
    await isBack()
  })
  await areHonest(t, answers)
})

void t.test('all connections cut, again and again, under load', async (t) => {
  const answers = await underLoad(async () => {
    for (let i = 0; i < 10; i++) {
      await cutConnections()
      await sleep(200)
    }
    await isBack()
  })
  await areHonest(t, answers)
})

void t.test('stopped and started under load, in order and by a crash', async (t) => {
  for (const how of ['in order', 'immediately'] as const) {
    const answers = await underLoad(async () => {
      if (how === 'in order') await postgres.stop()
      else await postgres.crash()
      await sleep(1_500)
      await postgres.start()
      await isBack()
    })
    await areHonest(t, answers)
  }
})

void t.test('one of its processes killed under load', async (t) => {
  const answers = await underLoad(async () => {
    postgres.killOne()
    await sleep(500)
    await isBack()
  })
  await areHonest(t, answers)
})

void t.test('reset by the network after a second of silence, under load', async (t) => {
  const answers = await underLoad(async () => {
    for (let i = 0; i < 3; i++) {
      network.standStill()
      await sleep(1_000)
      network.reset()
      await sleep(500)
    }
    await isBack()
  })
  await areHonest(t, answers)
})

void t.test('jobs are worked on afterwards', async () => {
  const asked = crypto.randomUUID()
  await until('the queue takes a job', () =>
    app.jobs.send('test.echo', { asked }).then(
      () => true,
      () => false,
    ),
  )
  await until('the job is done', () => echoes.includes(asked))
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
