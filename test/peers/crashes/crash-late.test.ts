import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { contentsAt, startFake } from '../../helpers/zone.ts'
import { addDomain, signIn, startZonekeeper, type Session } from '../zonekeeper.ts'

/* Killed while the provider is slow: what it writes later than the first looks after the restart counts. */
t.setTimeout(240_000)
const ZONE = 'late.example'

const fake = await startFake(t)
const dataDir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-crash-'))
t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }))

const start = async () => {
  const environment = { DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'warn' }
  const service = await startZonekeeper(environment)
  t.teardown(() => service.kill())
  return { service, session: await signIn(service.url) }
}
const changeOf = async (session: Session, domainId: string) =>
  (await session.get(`/api/domains/${domainId}/changes`)).body.changes[0]
const isRead = ({ method }: { method: string }) => method === 'GET'

void t.test('killed with -9 while a write is on its way, which lands later', async (t) => {
  const { service, session } = await start()
  const domainId = await addDomain(session, { apiUrl: fake.url, apiKey: fake.apiKey }, ZONE)
  const { promise, resolve: land } = Promise.withResolvers<void>()
  fake.fail({ on: 'write', kind: 'held', until: promise })
  const content = { recordType: 'A', name: 'slow', value: '192.0.2.1', ttl: 300 }
  const answer = session.post(`/api/domains/${domainId}/records`, content).catch(() => null)
  await until('the provider has it', () => fake.requests.some(({ method }) => method === 'PATCH'))
  await service.kill()
  t.equal(await answer, null)

  const reads = fake.requests.length
  const { session: again } = await start()
  await until('it is asked in vain', () => fake.requests.slice(reads).filter(isRead).length >= 3, {
    within: 60,
  })
  t.match(await changeOf(again, domainId), { status: 'pending' }, 'nobody knows yet')
  land()
  const isSettled = async () => (await changeOf(again, domainId)).status !== 'pending'
  await until('it is settled', isSettled, { within: 100 })
  t.match(await changeOf(again, domainId), { source: 'single', status: 'applied' })
  t.match(await again.get(`/api/domains/${domainId}/records?search=slow`), {
    body: { records: [{ name: 'slow', status: 'active' }] },
  })
  t.same(contentsAt(fake, ZONE, 'slow', 'A'), ['192.0.2.1'])
  t.match(await again.post(`/api/domains/${domainId}/sync`), { body: { created: 0, updated: 0, deleted: 0 } })
})
