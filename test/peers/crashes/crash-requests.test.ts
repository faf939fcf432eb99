import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { until } from '../../helpers/until.ts'
import { startPowerDnsSimulator } from '../../conformance/simulators/powerdns.ts'
import { addDomain, call, signIn } from '../zonekeeper.ts'
import { killable, killedZoneOf } from './killable.ts'

/* An instance is killed at each step of an approval: another one applies the request, once. */
t.setTimeout(300_000)
const SOON = { within: 120 }

const fake = await startPowerDnsSimulator()
t.teardown(() => fake.close())
fake.createZone('killed.test')
const { database, start } = await killable()
const { db } = database
const { there, writesOf } = killedZoneOf(fake)

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
