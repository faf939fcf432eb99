import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createDatabase } from '../../helpers/database.ts'
import { until } from '../../helpers/until.ts'
import { POWERDNS } from '../../helpers/zone.ts'
import { startPowerDnsSimulator } from '../../conformance/simulators/powerdns.ts'
import { addDomain, databaseUrl, signIn, startZonekeeper, type Session } from '../zonekeeper.ts'

/* An instance ends in the midst of an import of 20,000 records: what was done is told, and nothing is done twice. */
t.setTimeout(480_000)
const RECORDS = 20_000
const ZONEFILE = Array.from(
  { length: RECORDS },
  (_, i) => `w${i % 5000} A 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
).join('\n')
const FEW = Array.from({ length: 1_100 }, (_, i) => `few${i} A 192.0.2.1`).join('\n')

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-operations-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
const fake = await startPowerDnsSimulator()
t.teardown(() => fake.close())

void t.test('95. kill -9: another ends it by what the server holds, and does what waited', async (t) => {
  const { start, there } = await installation(t, 'killed.test')
  const doomed = await start()
  const session = await signIn(doomed.url)
  const domain = await register(session, 'killed.test')
  fake.fail({ on: 'write', kind: 'late', until: () => sleep(300), times: Infinity })
  const [big, few] = [await ask(session, domain, ZONEFILE), await ask(session, domain, FEW)]
  await until('it is under way', async () => (await read(session, big)).done > 0)
  await doomed.kill()
  fake.heal()
  const before = there()

  const again = await signIn((await start()).url)
  const over = await end(again, big)
  t.match(over, { outcome: 'partly', total: RECORDS, result: null, problem: { code: 'unavailable' } })
  t.equal(over.done, before, 'what the server took without our hearing of it counts')
  t.ok(before > 0 && before < RECORDS, `${before} records were there`)
  const { body: change } = await again.get(`/api/domains/${domain}/changes/${over.changeId}`)
  t.match(change, { source: 'import', status: 'partial', itemCount: RECORDS })
  t.match(await end(again, few), { outcome: 'succeeded', done: 1_100 })

  const rest = await end(again, await ask(again, domain, ZONEFILE))
  t.match(rest, { outcome: 'succeeded', done: RECORDS - before, total: RECORDS - before })
  t.equal(there(), RECORDS + 1_100)
  t.match(await again.get(`/api/domains/${domain}/records?type=A&limit=1`), {
    body: { total: RECORDS + 1_100 },
  })
})

void t.test('95. SIGTERM: it is cut off in time, and the next instance does what waited', async (t) => {
  const { start, there } = await installation(t, 'stopped.test')
  const stopping = await start()
  const session = await signIn(stopping.url)
  const domain = await register(session, 'stopped.test')
  fake.fail({ on: 'write', kind: 'late', until: () => sleep(1_500), times: Infinity })
  const [big, few] = [await ask(session, domain, ZONEFILE), await ask(session, domain, FEW)]
  await until('it is under way', async () => (await read(session, big)).done > 0)
  const begun = Date.now()
  t.equal(await stopping.stop(), 0)
  t.ok(Date.now() - begun < 10_000, `stopped after ${Date.now() - begun} ms`)
  fake.heal()

  const again = await signIn((await start()).url)
  const over = await end(again, big)
  t.match(over, { outcome: 'partly', problem: { code: 'provider_error', detail: /before all/ } })
  t.match(await end(again, few), { outcome: 'succeeded', done: 1_100 })
  t.equal(there(), over.done + 1_100)
})

void t.test(
  'kill -9 in a copy to another provider: another instance goes on with what is missing',
  async (t) => {
    const { start } = await installation(t, 'copied.test')
    const target = await startPowerDnsSimulator()
    t.teardown(() => target.close())
    const held = () => target.dump('copied.test').filter(({ type }) => type === 'A').length
    const doomed = await start()
    const session = await signIn(doomed.url)
    const domain = await register(session, 'copied.test')
    const many = Array.from({ length: 4_000 }, (_, i) => `w${i} A 192.0.2.1`).join('\n')
    await end(session, await ask(session, domain, many))
    const { body: config } = await session.post('/api/provider-configs', {
      providerId: POWERDNS,
      name: 'target',
      credentials: { apiUrl: target.url, apiKey: target.apiKey },
      nameServers: ['ns1.example.net'],
    })
    const there = { providerConfigId: config.id, createZone: true }
    target.fail({ on: 'write', kind: 'late', until: () => sleep(300), times: Infinity })
    const { body } = await session.post(`/api/domains/${domain}/copy`, there)
    await until('it is under way', async () => (await read(session, body.operation.id)).done > 0)
    await doomed.kill()
    target.heal()
    const before = held()
    t.ok(before > 0 && before < 4_000, `${before} records were there`)

    const again = await signIn((await start()).url)
    const rest = 4_000 - before
    t.match(await end(again, body.operation.id), { outcome: 'succeeded', done: rest, total: rest })
    t.equal(held(), 4_000)
    t.match(await again.post(`/api/domains/${domain}/copy`, there), {
      status: 200,
      body: { plan: { applied: false, creates: { length: 0 } } },
    })
    t.match(await again.get(`/api/domains/${domain}/changes`), {
      body: { changes: [{ source: 'import' }], total: 1 },
    })
  },
)

/** A database, and the instances on it. */
async function installation(t: Test, zone: string) {
  const database = await createDatabase(t)
  fake.createZone(zone)
  const environment = {
    DATABASE_URL: databaseUrl(database.config),
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    DATA_DIR: work,
    OUTBOUND_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'warn',
  }
  return {
    async start() {
      const service = await startZonekeeper(environment)
      t.teardown(() => service.kill())
      return service
    },
    /** A records at the server. */
    there: () =>
      fake
        .dump(zone)
        .filter(({ type }) => type === 'A')
        .reduce((sum, { records }) => sum + records.length, 0),
  }
}

const register = (session: Session, zone: string) =>
  addDomain(session, { apiUrl: fake.url, apiKey: fake.apiKey }, zone)

async function ask(session: Session, domain: string, zonefile: string): Promise<string> {
  const { status, body } = await session.post(`/api/domains/${domain}/records/import`, { zonefile })
  if (status !== 202) throw new Error(`No operation: ${JSON.stringify(body)}`)
  return body.operation.id
}

const read = async (session: Session, id: string) => (await session.get(`/api/operations/${id}`)).body

const end = (session: Session, id: string) =>
  until(
    'the end of the operation',
    async () => {
      const operation = await read(session, id)
      return operation.outcome !== null && operation
    },
    { within: 180 },
  )
