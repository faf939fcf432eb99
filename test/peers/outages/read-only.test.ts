import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { startNetwork } from '../../helpers/postgres.ts'
import { until } from '../../helpers/until.ts'
import { idOf, MANUAL } from '../../helpers/zone.ts'
import { startDebianPair } from '../debian-pair.ts'
import { call, signIn, startZonekeeper } from '../zonekeeper.ts'

/* The address of the database leads to a standby for a while: reads are served, writes are refused. */
t.setTimeout(120_000)
const WITHIN = { within: 10 }

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-read-only-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))

void t.test('a standby serves reads, and says so', async (t) => {
  const pair = await startDebianPair(t)
  const address = await startNetwork(t, pair.primary)
  const service = await startZonekeeper({
    DATABASE_URL: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    DATA_DIR: work,
    LOG_LEVEL: 'info',
  })
  t.teardown(() => service.stop())
  const session = await signIn(service.url)
  const manual = await session.post('/api/provider-configs', { providerId: MANUAL, name: 'manual' })
  const domain = { name: 'example.com', providerConfigId: idOf(manual) }
  const records = `/api/domains/${idOf(await session.post('/api/domains', domain))}/records`
  const record = (name: string) => ({ recordType: 'A', name, value: '192.0.2.1' })
  t.equal((await session.post(records, record('first'))).status, 201)
  const readiness = () => call(service.url, 'GET', '/readyz')
  t.match(await readiness(), { status: 200, body: { ready: true, state: 'ready' } })

  address.leadTo(pair.standby)
  address.reset()
  await until('it is degraded', async () => (await readiness()).body.state === 'degraded', WITHIN)
  t.match(await readiness(), {
    status: 503,
    body: { ready: false, checks: [{ name: 'database', status: 'read_only' }] },
  })
  await until('reads are served', async () => (await session.get(records)).status === 200, WITHIN)
  const refused = await session.post(records, record('second'))
  t.match(refused, { status: 503, body: { code: 'unavailable', detail: /read-only/, outcome: 'none' } })
  t.match(refused.headers.get('content-type'), /^application\/problem\+json/)
  t.match(refused.headers.get('retry-after'), /^\d+$/)

  address.leadTo(pair.primary)
  await until('it is ready again', async () => (await readiness()).status === 200, WITHIN)
  t.equal((await session.post(records, record('third'))).status, 201)
  const names = (await session.get(records)).body.records.map(({ name }: { name: string }) => name)
  t.same(names.sort(), ['first', 'third'])
  const errors = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"level":50'))
  t.equal(errors.filter((line) => line.includes('the database is read-only')).length, 1)
  t.ok(errors.length <= 3, errors.join('\n'))
  const [recovery] = service.output().match(/.*"msg":"the database answers again".*/g) ?? []
  t.ok(
    JSON.parse(recovery ?? '{}').failedRequests >= 1,
    'the end of the outage says how many requests failed',
  )
})
