import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import t, { type Test } from 'tap'
import { until } from '../helpers/until.ts'
import { contentsAt } from '../helpers/zone.ts'
import { startPowerDnsSimulator, type PowerDnsSimulatorOptions } from '../conformance/simulators/powerdns.ts'
import { addDomain, signIn, startZonekeeper, type Session } from './zonekeeper.ts'

/* SIGTERM while a provider is slow: each request gets its answer, and that is the truth. */
t.setTimeout(300_000)
const ZONE = 'stop.example'
const GRACE_MS = 10_000

async function installation(t: Test, options: PowerDnsSimulatorOptions = {}) {
  const fake = await startPowerDnsSimulator(options)
  t.teardown(() => fake.close())
  const dataDir = mkdtempSync(path.join(tmpdir(), 'zonekeeper-stop-'))
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }))
  const start = async () => {
    const environment = { DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'warn' }
    const service = await startZonekeeper(environment)
    t.teardown(() => service.kill())
    return { service, session: await signIn(service.url) }
  }
  const first = await start()
  const domainId = await addDomain(first.session, { apiUrl: fake.url, apiKey: fake.apiKey }, ZONE)
  const isWrite = ({ method }: { method: string }) => method === 'PATCH'
  const writes = () => fake.requests.filter(isWrite).length
  return { fake, start, ...first, domainId, writes }
}

const create = (session: Session, domainId: string, name: string) =>
  session
    .post(`/api/domains/${domainId}/records`, { recordType: 'A', name, value: '192.0.2.1', ttl: 300 })
    .catch((error: Error) => ({ status: 0, headers: new Headers(), body: { detail: String(error.cause) } }))

/** Of all changes but the reading of the zone at its registration. */
const statusesOf = async (session: Session, domainId: string): Promise<string[]> =>
  (await session.get(`/api/domains/${domainId}/changes?limit=100`)).body.changes
    .filter(({ source }: { source: string }) => source !== 'sync')
    .map(({ status }: { status: string }) => status)

void t.test('what waits in line is refused at once, and what is under way is finished', async (t) => {
  const { fake, start, service, session, domainId, writes } = await installation(t, {
    oneWriter: true,
    writeMs: 2_000,
  })
  const names = Array.from({ length: 8 }, (_, i) => `h${i}`)
  const answers = Promise.all(names.map((name) => create(session, domainId, name)))
  // Each was refused once, since another was under way, and waits for its turn from then on.
  await until('they wait', () => writes() > names.length)
  const begun = Date.now()
  t.equal(await service.stop(), 0)
  t.ok(Date.now() - begun < GRACE_MS, `stopped after ${Date.now() - begun} ms`)

  const all = await answers
  const statuses = all.map(({ status }) => status)
  t.ok(
    statuses.every((status) => status === 201 || status === 503),
    statuses.join(', '),
  )
  t.ok(statuses.includes(201) && statuses.includes(503))
  for (const { headers } of all.filter(({ status }) => status === 503)) t.ok(headers.get('retry-after'))
  const done = names.filter((_, i) => statuses[i] === 201)
  t.same(
    names.filter((name) => contentsAt(fake, ZONE, name, 'A').length > 0),
    done,
    'what was acknowledged is there, and nothing else',
  )

  const { session: again } = await start()
  t.notOk((await statusesOf(again, domainId)).includes('pending'), 'all is settled')
  t.match(await again.get(`/api/domains/${domainId}/records?type=A`), { body: { total: done.length } })
  // A name that is still locked would be refused.
  const refused = names.find((name) => !done.includes(name)) as string
  t.match(await create(again, domainId, refused), { status: 201 })
})

void t.test('what takes too long is cut off with an answer, and the next start finds it out', async (t) => {
  const { fake, start, service, session, domainId, writes } = await installation(t)
  fake.fail({ on: 'write', kind: 'silent', applied: true })
  const answer = create(session, domainId, 'slow')
  await until('it is under way', () => writes() > 0)
  const begun = Date.now()
  t.equal(await service.stop(), 0)
  t.ok(Date.now() - begun < GRACE_MS, `stopped after ${Date.now() - begun} ms`)
  const { status, body } = await answer
  t.ok(status === 502 || status === 504, `${status}`)
  t.type(body.changeId, 'string', 'which says by which change to look for the outcome')

  const restarted = Date.now()
  const { session: again } = await start()
  await until('it is settled', async () => !(await statusesOf(again, domainId)).includes('pending'))
  t.same(await statusesOf(again, domainId), ['applied'])
  t.ok(Date.now() - restarted < 20_000, `after ${Date.now() - restarted} ms`)
  t.notMatch(service.output(), /pool/, 'nothing went on after the pool was closed')
})

void t.test('a client that has gone does not make its change outlive the stop', async (t) => {
  const { fake, start, service, session, domainId, writes } = await installation(t, { writeMs: 3_000 })
  const gone = new AbortController()
  const answer = fetch(`${service.url}/api/domains/${domainId}/records`, {
    method: 'POST',
    signal: gone.signal,
    headers: { authorization: `Bearer ${session.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ recordType: 'A', name: 'gone', value: '192.0.2.1', ttl: 300 }),
  }).catch(() => null)
  await until('it is under way', () => writes() > 0)
  gone.abort()
  await answer
  t.equal(await service.stop(), 0)
  t.same(contentsAt(fake, ZONE, 'gone', 'A'), ['192.0.2.1'])
  const { session: again } = await start()
  t.same(await statusesOf(again, domainId), ['applied'], 'it was settled before the end')
})
