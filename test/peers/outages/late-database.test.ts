import { createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { PASSWORD } from '../../helpers/app.ts'
import { startNetwork, startOwnPostgres } from '../../helpers/postgres.ts'
import { until } from '../../helpers/until.ts'
import { freePort, type Program } from '../processes.ts'
import { call, launchZonekeeper } from '../zonekeeper.ts'

/* A start before its database is there. */
t.setTimeout(120_000)
const postgres = await startOwnPostgres(t)
const network = await startNetwork(t, postgres.database.config)
const { user, database } = postgres.database.config
const urlAt = (port: number, name = database) => `postgres://${user}@127.0.0.1:${port}/${name}`
const SECRET_KEY = Buffer.alloc(32, 9).toString('base64')

/** Launches the service on a port that is known beforehand. */
async function launch(t: Test, environment: Record<string, string>): Promise<Program & { url: string }> {
  const PORT = String(await freePort())
  const program = await launchZonekeeper({ PORT, SECRET_KEY, DATA_DIR: t.testdir(), ...environment })
  t.teardown(() => program.stop())
  return { ...program, url: `http://127.0.0.1:${PORT}` }
}

const readiness = (url: string) => call(url, 'GET', '/readyz').catch(() => null)

const waits = (url: string) =>
  until('the port is open', async () => (await readiness(url))?.status === 503, { within: 30 })

void t.test('the database comes later', async (t) => {
  await postgres.stop()
  const service = await launch(t, { DATABASE_URL: urlAt(network.port) })
  await waits(service.url)
  t.strictSame((await call(service.url, 'GET', '/readyz?cache=no')).body, {
    ready: false,
    state: 'starting',
    checks: [{ name: 'database', status: 'no_answer' }],
  })
  t.match(await call(service.url, 'GET', '/healthz'), { status: 200, body: { status: 'ok' } })
  const credentials = { username: 'root', password: PASSWORD }
  for (const [method, path, body] of [
    ['POST', '/api/auth/login', credentials],
    ['POST', '/nowhere', 'x'.repeat(100_000)],
    ['GET', '/', undefined],
    ['GET', '/metrics', undefined],
  ] as const) {
    const answer = await call(service.url, method, path, { body })
    t.match(answer, { status: 503, body: { code: 'unavailable', outcome: 'none' } }, path)
    t.ok(Number(answer.headers.get('retry-after')) > 0, path)
  }
  t.equal(service.output().match(/START_TIMEOUT/g)?.length, 1, 'the log says once what is waited for')

  await postgres.start()
  await until('it is ready', async () => (await readiness(service.url))?.status === 200, { within: 30 })
  t.equal((await call(service.url, 'POST', '/api/auth/login', { body: credentials })).status, 200)
})

void t.test('the database never comes', async (t) => {
  const DATABASE_URL = urlAt(await freePort())
  const service = await launch(t, { DATABASE_URL, START_TIMEOUT: '2' })
  await waits(service.url)
  t.equal(await service.ended, 1)
  t.match(service.output(), /can't start\. DATABASE_URL: .*ECONNREFUSED/)
  await t.rejects(call(service.url, 'GET', '/healthz'), 'nothing listens any more')
})

void t.test('SIGTERM while it waits', async (t) => {
  const service = await launch(t, { DATABASE_URL: urlAt(await freePort()) })
  await waits(service.url)
  t.equal(await service.stop(), 0)
})

void t.test('what no wait changes ends the start at once', async (t) => {
  const service = await launch(t, { DATABASE_URL: urlAt(network.port, 'missing') })
  t.equal(await service.ended, 1)
  t.notMatch(service.output(), /START_TIMEOUT/)
  t.match(service.output(), /DATABASE_URL: .*"missing"/)
})

void t.test('a server that takes connections and says nothing is asked once at a time', async (t) => {
  const open = new Set<Socket>()
  let most = 0
  const silent = createServer((socket) => {
    open.add(socket.on('error', () => {}).on('close', () => open.delete(socket)))
    most = Math.max(most, open.size)
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    silent.close()
  })
  const DATABASE_URL = urlAt((silent.address() as AddressInfo).port)
  const service = await launch(t, { DATABASE_URL, START_TIMEOUT: '6' })
  await waits(service.url)
  const answers = await Promise.all(Array.from({ length: 50 }, () => readiness(service.url)))
  t.ok(answers.every((answer) => answer?.status === 503))
  t.equal(await service.ended, 1)
  // One that was given up is closed by its own time limit.
  t.ok(most <= 3, `${most} connections`)
})

void t.test('a database that stands still: readiness answers in time, by one question', async (t) => {
  const service = await launch(t, { DATABASE_URL: urlAt(network.port) })
  await until('it is ready', async () => (await readiness(service.url))?.status === 200, { within: 30 })
  network.standStill()
  const begun = performance.now()
  const answers = await Promise.all(Array.from({ length: 50 }, () => readiness(service.url)))
  t.ok(answers.every((answer) => answer?.status === 503))
  t.ok(performance.now() - begun < 5_000, 'in time')
  network.reset()
})
