import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { createDatabase } from '../../helpers/database.ts'
import { until } from '../../helpers/until.ts'
import { startPowerDnsSimulator } from '../../conformance/simulators/powerdns.ts'
import { addDomain, databaseUrl, signIn, startZonekeeper } from '../zonekeeper.ts'

/* `kill -9` of an instance in the midst of work at a provider: another takes over within moments. */
t.setTimeout(180_000)
/** The lease, the search for what is due, and a busy machine. */
const SOON_MS = 20_000

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-leases-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
const fake = await startPowerDnsSimulator()
t.teardown(() => fake.close())
fake.createZone('example.test')

void t.test('91. a sync and a change of a dead instance are free for others', async (t) => {
  const database = await createDatabase(t)
  const environment = {
    DATABASE_URL: databaseUrl(database.config),
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    DATA_DIR: work,
    OUTBOUND_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'warn',
  }
  const doomed = await startZonekeeper(environment)
  t.teardown(() => doomed.kill())
  const survivor = await startZonekeeper(environment)
  t.teardown(() => survivor.stop())
  const session = await signIn(doomed.url)
  const domainId = await addDomain(session, { apiUrl: fake.url, apiKey: fake.apiKey }, 'example.test')
  const record = (value: string) => ({ recordType: 'A', name: 'www', value, ttl: 300 })
  const records = `/api/domains/${domainId}/records`

  fake.fail({ on: 'write', kind: 'silent', applied: true })
  const lost = session.post(records, record('192.0.2.1')).catch(() => null)
  await until('the provider has it', () => fake.dump('example.test').some(({ type }) => type === 'A'))
  fake.fail({ on: 'read', kind: 'silent', applied: false })
  const reads = fake.requests.length
  const sync = session.post(`/api/domains/${domainId}/sync`).catch(() => null)
  await until('the provider is being read', () => fake.requests.length > reads)
  await doomed.kill()
  const killed = Date.now()
  t.same(await Promise.all([lost, sync]), [null, null])
  fake.heal()

  const again = await signIn(survivor.url)
  const is = async (status: number, call: Promise<{ status: number }>) => (await call).status === status
  await until('a sync', () => is(200, again.post(`/api/domains/${domainId}/sync`)))
  t.ok(Date.now() - killed < SOON_MS, `a sync after ${Date.now() - killed} ms`)
  await until('a change of that name', () => is(201, again.post(records, record('192.0.2.2'))))
  t.ok(Date.now() - killed < SOON_MS, `a change of the name after ${Date.now() - killed} ms`)
  const { body } = await again.get(`${records}?type=A`)
  t.same((body.records as { value: string }[]).map(({ value }) => value).sort(), ['192.0.2.1', '192.0.2.2'])
})
