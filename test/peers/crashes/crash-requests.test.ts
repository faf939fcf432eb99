import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { createDatabase } from '../../helpers/database.ts'
import { until } from '../../helpers/until.ts'
import { startPowerDnsSimulator } from '../../conformance/simulators/powerdns.ts'
import { addDomain, call, databaseUrl, signIn, startZonekeeper } from '../zonekeeper.ts'

/* An instance is killed at each step of an approval: another one applies the request, once. */
t.setTimeout(300_000)
const SOON = { within: 120 }

const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-requests-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
const fake = await startPowerDnsSimulator()
t.teardown(() => fake.close())
fake.createZone('killed.test')
const database = await createDatabase(t)
const { db } = database
const start = async () => {
  const service = await startZonekeeper({
    DATABASE_URL: databaseUrl(database.config),
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    DATA_DIR: work,
    OUTBOUND_ALLOW: '127.0.0.1',
    LOG_LEVEL: 'warn',
  })
  t.teardown(() => service.kill())
  return service
}
const there = (name: string) =>
  fake
    .dump('killed.test')
    .filter((set) => set.name === `${name}.killed.test.` && set.type === 'A')
    .flatMap(({ records }) => records)
const writesOf = (name: string) =>
  fake.requests.filter(({ method, body }) => method === 'PATCH' && body.includes(`"${name}.killed.test."`))
    .length

let service = await start()
let session = await signIn(service.url)
const domainId = await addDomain(session, { apiUrl: fake.url, apiKey: fake.apiKey }, 'killed.test')
const ada = { username: 'ada', password: 'another password for the tests' }
t.equal((await session.post('/api/users', { ...ada, role: 'admin' })).status, 201)

/** Asks as another administrator than the one who approves. */
const ask = async (name: string) => {
  const signedIn = await call(service.url, 'POST', '/api/auth/login', { body: ada })
  const changes = [{ action: 'create', recordType: 'A', name, value: '192.0.2.1', ttl: 300 }]
  const asked = await call(service.url, 'POST', `/api/domains/${domainId}/change-requests`, {
    body: { title: name, changes },
    token: signedIn.body.accessToken,
  })
  return asked.body.id as string
}
const read = async (id: string) => (await session.get(`/api/change-requests/${id}`)).body
const restart = async () => {
  service = await start()
  session = await signIn(service.url)
}
/** Whatever becomes of the answer. */
const approve = (id: string) => {
  void session.post(`/api/change-requests/${id}/approve`, { revision: 1 }).catch(() => {})
}

void t.test('killed between the approval and its change', async (t) => {
  const id = await ask('before')
  await db.transaction().execute(async (trx) => {
    await sql`select from domains where id = ${domainId} for update`.execute(trx)
    approve(id)
    await until('the approval is stored', async () => (await read(id)).status === 'approved')
    await sleep(200)
    await service.kill()
  })
  t.same(there('before'), [])
  await restart()
  await until('another instance applies it', async () => (await read(id)).status === 'applied', SOON)
  t.equal(there('before').length, 1)
  t.equal(writesOf('before'), 1)
})

void t.test('killed while the provider writes, and after it has', async (t) => {
  for (const [name, applied] of [
    ['during', false],
    ['after', true],
  ] as const) {
    const id = await ask(name)
    fake.fail({ on: 'write', kind: 'silent', applied })
    approve(id)
    await until('it was sent', () => Promise.resolve(writesOf(name) === 1))
    await service.kill()
    fake.heal()
    await restart()
    const wanted = applied ? 'applied' : 'failed'
    await until(`${name}: ${wanted}`, async () => (await read(id)).status === wanted, SOON)
    t.equal(there(name).length, applied ? 1 : 0, name)
    t.equal(writesOf(name), 1, 'it is not sent again')
  }
})
