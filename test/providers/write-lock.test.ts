import { randomUUID } from 'node:crypto'
import t from 'tap'
import { startApp, type Client } from '../helpers/app.ts'
import { until } from '../helpers/until.ts'
import { addDomain, addPowerDns } from '../helpers/zone.ts'
import { startPowerDnsSimulator } from '../conformance/simulators/powerdns.ts'
import { isWrite } from '../conformance/simulators/server.ts'

/* Changes at a server that takes one at a time, by several instances. */
const one = await startApp(t, { alone: false })
const two = await startApp(t, { alone: false, database: one.database })
const hurried = await startApp(t, { alone: false, database: one.database, providerBudgetMs: 2_000 })
const { db } = one.database

async function start(name: string, { oneWriter }: { oneWriter: boolean }) {
  const fake = await startPowerDnsSimulator({ writeMs: 30, oneWriter })
  t.teardown(() => fake.close())
  fake.createZone(name)
  const configId = await addPowerDns(one.admin, fake, name)
  const { id } = await addDomain(one.admin, configId, name)
  const write = async (client: Client, host: string) =>
    client.post(`/api/domains/${id}/records`, { recordType: 'A', name: host, value: '192.0.2.1', ttl: 300 })
  /** Many writes at the same time on two instances. Answers how those ended that went wrong. */
  const burst = async () => {
    const clients = Array.from({ length: 12 }, (_, i) => (i % 2 ? one.admin : two.admin))
    const answers = await Promise.all(clients.map((client) => write(client, `h-${randomUUID()}`)))
    return answers.map(({ status }) => status).filter((status) => status !== 201)
  }
  /** One fails as one of two at the same time does. */
  const learn = async () => {
    const answer = { status: 500, body: JSON.stringify({ error: 'Internal Server Error' }) }
    fake.fail({ on: 'write', kind: 'answer', answer })
    t.match(await write(one.admin, 'learn'), { status: 201 }, 'it is tried again')
  }
  const inTurnUntil = async () =>
    (await db.selectFrom('provider_configs').selectAll().where('id', '=', configId).executeTakeFirstOrThrow())
      .in_turn_until
  return { fake, domainId: id, write, burst, learn, inTurnUntil }
}

const locks = () => db.selectFrom('leases').select('subject').where('kind', '=', 'change')

void t.test('93. after one that is locked, changes go one after another over all instances', async (t) => {
  const { fake, burst, learn, inTurnUntil } = await start('one.test', { oneWriter: true })
  t.equal(await inTurnUntil(), null)
  await learn()
  t.ok(await inTurnUntil())
  t.same(await burst(), [])
  t.equal(fake.writesAtOnce(), 1)
  t.same(await locks().execute(), [], 'every lock was released')
})

void t.test('a server that takes several at a time gets them', async (t) => {
  const { fake, burst, inTurnUntil } = await start('many.test', { oneWriter: false })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  fake.fail({ on: 'write', kind: 'late', until: () => held, times: 3 })
  const ended = burst()
  await until('three that have no answer', () => fake.requests.filter(isWrite).length >= 3)
  release()
  t.same(await ended, [])
  t.equal(await inTurnUntil(), null)
})

void t.test('93. two accounts of one server wait for each other', async (t) => {
  const first = await start('first.test', { oneWriter: true })
  first.fake.createZone('second.test')
  const { id } = await addDomain(one.admin, await addPowerDns(one.admin, first.fake, 'other'), 'second.test')
  await db
    .updateTable('provider_configs')
    .set({ in_turn_until: new Date(Date.now() + 60_000) })
    .execute()
  const url = `/api/domains/${id}/records`
  const others = ['x', 'y', 'z'].map((name) =>
    two.admin.post(url, { recordType: 'A', name, value: '192.0.2.1' }),
  )
  t.same(await first.burst(), [])
  for (const answer of await Promise.all(others)) t.match(answer, { status: 201 })
  t.equal(first.fake.writesAtOnce(), 1)
})

void t.test('93. who waits for its turn too long is told to come back', async (t) => {
  const { fake, write, learn } = await start('long.test', { oneWriter: true })
  await learn()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  fake.fail({ on: 'write', kind: 'late', until: () => held })
  const before = write(one.admin, 'before')
  const { subject } = await until('the lock', () => locks().executeTakeFirst())
  release()
  await before

  // Somebody else has it now.
  const holder = randomUUID()
  const lease = { kind: 'change', subject, holder, until: new Date(Date.now() + 60_000) }
  await db.insertInto('leases').values(lease).execute()
  const requests = fake.requests.length
  t.match(await write(hurried.admin, 'c'), {
    status: 503,
    headers: { 'retry-after': '5' },
    body: { code: 'unavailable', detail: /one change at a time/ },
  })
  t.equal(fake.requests.length, requests, 'nothing was sent')
  await db.deleteFrom('leases').where('holder', '=', holder).execute()
  t.match(await write(one.admin, 'c'), { status: 201 }, 'nothing of it is left')
})
