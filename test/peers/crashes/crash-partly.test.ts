import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { startFake } from '../../helpers/zone.ts'
import { addDomain, signIn, startZonekeeper } from '../zonekeeper.ts'

/* Killed with -9 between two calls of one change: the history says what was done, and the rest can be done. */
t.setTimeout(300_000)
const ZONE = 'partly.example'
const RECORDS = 1_000
/** PowerDNS takes so many at a time. */
const FIRST = 500

const fake = await startFake(t)
const dataDir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-crash-'))
t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }))

const start = async () => {
  const environment = { DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'warn' }
  const service = await startZonekeeper(environment)
  t.teardown(() => service.kill())
  return { service, session: await signIn(service.url) }
}
const there = () => fake.dump(ZONE).filter(({ type }) => type === 'A').length

void t.test('a kept plan of 1,000', async (t) => {
  const { service, session } = await start()
  const domainId = await addDomain(session, { apiUrl: fake.url, apiKey: fake.apiKey }, ZONE)
  const changes = Array.from({ length: RECORDS }, (_, i) => ({
    action: 'create',
    recordType: 'A',
    name: `h${i}`,
    value: '192.0.2.1',
  }))
  const records = `/api/domains/${domainId}/records`
  const { body: plan } = await session.post(`${records}/plan`, { changes, keep: true })
  let writes = 0
  const onSecond = ({ method }: { method: string }) => method === 'PATCH' && ++writes === 2
  fake.fail({ on: onSecond, kind: 'silent', applied: false })
  const answer = session.post(`${records}/apply`, { planId: plan.planId }).catch(() => null)
  await until('the first half is there', () => writes === 2)
  await service.kill()
  t.equal(await answer, null)
  t.equal(there(), FIRST)

  const { session: again } = await start()
  const last = async () => (await again.get(`/api/domains/${domainId}/changes?limit=1`)).body.changes[0]
  await until('it is settled', async () => (await last()).status !== 'pending', { within: 150 })
  const change = await last()
  t.match(change, { source: 'apply', status: 'partial', itemCount: RECORDS })
  t.match(await again.post(`${records}/apply`, { planId: plan.planId }), { status: 409 })
  t.match(await again.get(`${records}?type=A&limit=1`), { body: { total: FIRST } })

  const rest = await again.post(`/api/domains/${domainId}/changes/${change.id}/retry?keep=true`)
  t.equal(rest.body.creates.length, RECORDS - FIRST)
  const done = await again.post(`${records}/apply`, { planId: rest.body.planId })
  t.match(done, { status: 200, body: { applied: true } })
  t.equal(there(), RECORDS)
  t.match(await last(), { source: 'retry', status: 'applied', itemCount: RECORDS - FIRST })
})
