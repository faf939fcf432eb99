import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { ADMIN, call, signIn, startZonekeeper, type Zonekeeper } from '../zonekeeper.ts'

/*
 * The embedded PostgreSQL, one of whose processes is ended as the kernel does when memory is short, and the service
 * itself ended so: what was acknowledged is there, and the next start needs nobody.
 */
t.setTimeout(120_000)
const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-embedded-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
const environment = { DATA_DIR: work, LOG_LEVEL: 'warn' }

const postmaster = () =>
  Number(readFileSync(path.join(work, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/** Processes of PostgreSQL that serve a connection. */
const sessions = () =>
  execFileSync('ps', ['--ppid', String(postmaster()), '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('[local]'))
    .map((line) => Number.parseInt(line, 10))

const isReady = (service: Zonekeeper) => async () =>
  (await call(service.url, 'GET', '/readyz').catch(() => null))?.status === 200

async function crash(service: Zonekeeper): Promise<void> {
  const before = postmaster()
  process.kill(await until('a session', () => sessions()[0]), 'SIGKILL')
  await until('PostgreSQL has noticed', async () => !(await isReady(service)()))
  await until('it serves again', isReady(service), { within: 20 })
  t.equal(postmaster(), before, 'PostgreSQL has restarted by itself')
}

void t.test('89. a process of PostgreSQL is killed', async (t) => {
  const service = await startZonekeeper(environment)
  t.teardown(() => service.stop())
  // At once: the job queue is just about to start.
  process.kill(await until('a session', () => sessions()[0]), 'SIGKILL')
  await until('it serves again', isReady(service), { within: 20 })
  const admin = await signIn(service.url)
  t.match(await admin.post('/api/users', { ...ADMIN, username: 'ada', role: 'member' }), { status: 201 })
  await crash(service)
  await until('what was acknowledged is there', async () => {
    const { status, body } = await admin.get('/api/users?search=ada')
    return status === 200 && body.total === 1
  })

  // And the service, in the middle of it all: PostgreSQL is told to stop while it recovers.
  process.kill(await until('a session', () => sessions()[0]), 'SIGKILL')
  await service.kill()
  const next = await startZonekeeper(environment)
  t.teardown(() => next.stop())
  const again = await signIn(next.url)
  t.match(await again.get('/api/users?search=ada'), { status: 200, body: { total: 1 } })
  t.equal(await next.stop(), 0)
})

void t.test(
  'PostgreSQL as a whole is killed: the service ends with code 1, for its supervisor to start it again',
  async (t) => {
    const service = await startZonekeeper(environment)
    t.teardown(() => service.stop())
    const admin = await signIn(service.url)
    t.match(await admin.post('/api/users', { ...ADMIN, username: 'eve', role: 'member' }), { status: 201 })
    process.kill(postmaster(), 'SIGKILL')
    t.equal(await service.ended, 1)
    t.match(service.output(), /embedded PostgreSQL exited/)
    const next = await startZonekeeper(environment)
    t.teardown(() => next.stop())
    const again = await signIn(next.url)
    t.match(await again.get('/api/users?search=eve'), { status: 200, body: { total: 1 } })
  },
)
